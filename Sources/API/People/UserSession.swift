import Domain
import JSON

/// The viewer as answers show them (contract: public 4.1); closed key set.
struct UserSession: JSONWritable, Sendable {
    let caller: Caller
    let hasBlockedUsers: Bool
    /// Only in the answer that begins a guest's session or keeps it.
    var sessionToken: String?
    /// The terms of the page are still to be accepted.
    var needsTerms = false

    func write(to json: inout JSONWriter) {
        json.object { json in
            switch caller.identity {
            case .person(let person): write(person, to: &json)
            case .guest(let guest): write(guest, to: &json)
            case .nobody:
                json.member("authorized", false)
                json.member("isAnonSession", true)
                json.member("hasBlockedUsers", false)
            }
            if needsTerms { json.member("needsTOS", true) }
        }
    }

    private func write(_ person: Person, to json: inout JSONWriter) {
        json.member("id", person.id)
        json.member("authorized", true)
        json.member("avatarSrc", orNull: person.avatar)
        json.member("displayLabel", ifPresent: person.displayLabel)
        json.member("displayName", ifPresent: person.displayName)
        json.member("email", orNull: person.email)
        if let groups = person.groupIDs { json.member("groupIds", groups) }
        json.member("hasBlockedUsers", hasBlockedUsers)
        json.member("isAnonSession", false)
        json.member("username", person.username)
        json.member("websiteUrl", ifPresent: person.websiteURL)
    }

    private func write(_ guest: Guest, to json: inout JSONWriter) {
        json.member("id", guest.id)
        json.member("authorized", true)
        json.member("avatarSrc", orNull: nil)
        json.member("email", orNull: guest.email)
        json.member("hasBlockedUsers", hasBlockedUsers)
        json.member("isAnonSession", true)
        json.member("sessionId", orNull: sessionToken)
        json.member("username", ifPresent: guest.name)
    }
}

import Domain
import JSON
import Storage

/// Somebody named in a comment.
struct Mention: Sendable {
    /// Wire id of the person.
    let id: String
    /// As it stands in the text, with `@`.
    let tag: String

    var json: JSONValue {
        var object = JSONObject()
        object.append("id", .string(id))
        object.append("tag", .string(tag))
        object.append("type", .string("sso"))
        return .object(object)
    }
}

/// Finds the people whom a text names (contract: public 7.5).
enum MentionResolver {
    /// Mentions of one comment at most.
    static let maximumCount = 50
    /// People of one name that are looked at.
    private static let sameNameLimit = 20
    /// Words of a name at most, for names that are not listed.
    private static let longestName = 6

    /// - Parameters:
    ///   - listed: the `mentions` of the request; some clients send none, so names in the text count too.
    ///   - rights: the author's; whom they do not allow stays plain text.
    ///   - format: how the page shows names; a name in the text is one that is shown.
    static func resolve(
        _ source: String, _ listed: [JSONObject], _ tenant: Tenant, _ rights: MentionRights,
        as format: CommenterName.Format, in session: inout Session
    ) throws(APIError) -> [Mention] {
        guard source.utf8.contains(0x40) else { return [] }
        var found: [Mention] = []
        for entry in listed.prefix(maximumCount) {
            guard let id = entry["id"]?.string, let tag = entry["tag"]?.string, tag.hasPrefix("@"), tag.count > 1,
                source.firstRange(of: tag) != nil, !found.contains(where: { $0.tag == tag }),
                let person = try person(id, tenant, in: &session), rights.allow(person)
            else { continue }
            found.append(Mention(id: person.id, tag: tag))
        }
        for name in candidates(source) where found.count < maximumCount {
            guard let mention = try named(name, tenant, rights, format, in: &session),
                !found.contains(where: { $0.id == mention.id || $0.tag == mention.tag })
            else { continue }
            found.append(mention)
        }
        return found
    }

    private static func person(_ id: String, _ tenant: Tenant, in session: inout Session) throws(APIError) -> Person? {
        if let known = try PersonSQL.find(id, tenant: tenant.id, in: &session) { return known.person }
        return try PersonSQL.find("\(tenant.id):\(id)", tenant: tenant.id, in: &session)?.person
    }

    /// The text behind each `@` that does not follow a word, up to a handful of words.
    private static func candidates(_ source: String) -> [Substring] {
        var candidates: [Substring] = []
        var previous: Character = " "
        for index in source.indices {
            let character = source[index]
            if character == "@", !previous.isLetter, !previous.isNumber, candidates.count < maximumCount {
                let rest = source[source.index(after: index)...].prefix(100)
                candidates.append(rest.prefix { !$0.isNewline && $0 != "@" && $0 != "<" })
            }
            previous = character
        }
        return candidates
    }

    /// The person with the longest name that the text begins with; nobody when two have it, or none who may be named.
    private static func named(
        _ text: Substring, _ tenant: Tenant, _ rights: MentionRights, _ format: CommenterName.Format,
        in session: inout Session
    ) throws(APIError) -> Mention? {
        for name in prefixes(text) {
            let people = try people(shownAs: name, format, tenant, in: &session)
            if people.isEmpty { continue }
            let allowed = people.filter(rights.allow)
            return allowed.count == 1 ? Mention(id: allowed[0].id, tag: "@" + name) : nil
        }
        return nil
    }

    private static func people(
        shownAs name: String, _ format: CommenterName.Format, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> [Person] {
        guard format != .anonymous else { return [] }
        let name = name.lowercased()
        let stem = CommenterName.stem(ofShown: name, as: format)
        let ids = try session.query(
            """
            SELECT id FROM person WHERE tenant_id = ?1 AND username_key BETWEEN ?2 AND ?3
            UNION
            SELECT id FROM person WHERE tenant_id = ?1 AND display_key BETWEEN ?2 AND ?3
            LIMIT ?4
            """,
            .text(tenant.id), .text(stem), .text(format.hidesLetters ? stem + "\u{10FFFF}" : stem), .int(sameNameLimit)
        ) { (row) throws(APIError) -> String in row.text(0) }
        var people: [Person] = []
        for id in ids {
            guard let person = try person(id, tenant, in: &session) else { continue }
            let names = [person.username, person.shownName]
            if names.contains(where: { CommenterName.formatted($0, as: format).lowercased() == name }) {
                people.append(person)
            }
        }
        return people
    }

    /// Beginnings of the text that end where a name may end, longest first.
    private static func prefixes(_ text: Substring) -> [String] {
        var ends: [Substring.Index] = []
        var words = 0
        var previous: Character = " "
        for index in text.indices {
            let character = text[index]
            let endsWord = character.isWhitespace || (character.isPunctuation && character != "_" && character != "-")
            if endsWord, !previous.isWhitespace, index > text.startIndex {
                ends.append(index)
                words += 1
                if words == longestName { break }
            }
            previous = character
        }
        if words < longestName, !text.isEmpty { ends.append(text.endIndex) }
        return ends.reversed().map { String(text[..<$0]) }
    }
}

import Domain
import HTTP1
import JSON
import Storage

/// Commenters and those who run the site, for its own backend (contract: admin 5.5).
enum BackendUserRoutes {
    static func register(on routes: inout Routes) {
        routes.backend(.get, "users/{id}", "GetUser", read: getUser)
    }

    /// Those who sign on securely are read as such.
    private static func getUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = visit.tenant.id
        let id = visit.call.parameter("id")
        for key in ["\(tenant):\(id)", id] {
            guard let user = try BackendPerson.find(key, tenant: tenant, in: &session), user.person.isSimple else {
                continue
            }
            return .json(Answer { $0.member("user", BackendUser(user, tenant: tenant)) })
        }
        if let user = try TenantUser.find(id, tenant: tenant, in: &session) {
            return .json(Answer { $0.member("user", user) })
        }
        if try isForeign(id, tenant, in: &session) {
            throw APIError(403, "unauthorized", "This user belongs to another tenant.", phrase: .notAllowed)
        }
        throw APIError(404, "not-found", "There is no user with this id.")
    }

    private static func isForeign(_ id: String, _ tenant: String, in session: inout Session) throws(APIError) -> Bool {
        guard let owner = id.split(separator: ":", maxSplits: 1).first.map(String.init), owner != id else {
            return try AccountSQL.exists(id, in: &session)
        }
        guard owner != tenant else { return false }
        return try PersonSQL.find(id, tenant: owner, in: &session) != nil
    }
}

/// The members of contract admin 3.3 that there is something to say of. What people sign in with is never among them.
struct BackendUser: JSONWritable, Sendable {
    private let id: String
    private let tenant: String
    private let username: String
    private let email: String?
    private let person: Person
    private let createdAt: Int64

    init(_ user: BackendPerson, tenant: String) {
        id = user.person.id
        self.tenant = tenant
        username = user.person.username
        email = user.person.email
        person = user.person
        createdAt = user.createdAt
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("tenantId", tenant)
            json.member("username", username)
            json.member("email", orNull: email)
            json.member("signUpDate", createdAt)
            json.member("createdFromTenantId", tenant)
            json.member("createdFromIpHashed", "")
            json.member("verified", false)
            json.member("loginId", "")
            json.member("loginIdDate", 0)
            writePerson(to: &json)
        }
    }

    private func writePerson(to json: inout JSONWriter) {
        json.member("displayName", ifPresent: person.displayName)
        json.member("displayLabel", ifPresent: person.displayLabel)
        json.member("websiteUrl", orNull: person.websiteURL)
        json.member("avatarSrc", orNull: person.avatar)
        json.member("locale", ifPresent: person.locale)
        json.member("optedInNotifications", ifPresent: person.optedInNotifications)
        json.member("isProfileActivityPrivate", ifPresent: person.isActivityPrivate)
        json.member("isProfileCommentsPrivate", ifPresent: person.isCommentsPrivate)
        json.member("isProfileDMDisabled", ifPresent: person.isDirectMessagesDisabled)
    }
}

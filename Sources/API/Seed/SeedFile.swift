import Domain
import JSON

/// A known state to start from, as `parley seed` reads it; `parley seed --help` documents the format.
package struct SeedFile: Sendable {
    struct SeedTenant: Sendable {
        let id: String
        let name: String?
        let key: String?
        let ownerEmail: String?
        let domains: [String]?
        let allowsSimpleSSO: Bool?
        let settings: JSONObject?
    }

    struct SeedPerson: Sendable {
        let tenant: String
        let person: Person
    }

    struct SeedPage: Sendable {
        let tenant: String
        let urlID: String
        let url: String
        let title: String?
        let isClosed: Bool?
        let groupIDs: [String]?
        let comments: [SeedComment]
    }

    struct SeedComment: Sendable {
        let author: String?
        let name: String?
        let body: JSONObject
        let date: Int64?
        let isPinned: Bool
        let isLocked: Bool
        let replies: [SeedComment]
    }

    let tenants: [SeedTenant]
    let people: [SeedPerson]
    let pages: [SeedPage]

    /// - Throws: `malformed-json` or `invalid-input` with the place of the fault.
    package init(_ bytes: [UInt8]) throws(APIError) {
        guard let object = (try? JSONValue.parse(bytes, maximumDepth: 200))?.object else {
            throw APIError(400, "malformed-json", "The seed file is no JSON object.")
        }
        try Self.allow(["tenants", "people", "pages"], in: object, "the seed file")
        tenants = try (object.objects("tenants") ?? []).map(Self.tenant)
        people = try (object.objects("people") ?? []).map(Self.person)
        pages = try (object.objects("pages") ?? []).map(Self.page)
    }

    private static func tenant(_ object: JSONObject) throws(APIError) -> SeedTenant {
        let keys = ["id", "name", "key", "ownerEmail", "domains", "allowsSimpleSSO", "settings"]
        try allow(keys, in: object, "a tenant")
        guard let id = try object.text("id"), Identifier.isTenantID(id) else {
            throw .invalidInput("A tenant of the seed file has no id of letters, digits, - and _.")
        }
        var settings = object["settings"]?.object
        do {
            settings = try settings.map { given throws(SettingFault) in try SettingKey.checked(given, keepsNull: false)
            }
        } catch {
            throw .invalidInput("Tenant \(id) of the seed file: \(error.sentence)")
        }
        return SeedTenant(
            id: id, name: try object.text("name"), key: try object.text("key"),
            ownerEmail: try object.text("ownerEmail"), domains: try object.texts("domains"),
            allowsSimpleSSO: try object.flag("allowsSimpleSSO"),
            settings: settings)
    }

    private static func person(_ object: JSONObject) throws(APIError) -> SeedPerson {
        let keys = [
            "tenant", "id", "username", "email", "displayName", "displayLabel", "avatar", "websiteUrl", "groupIds",
            "isAdmin", "isModerator",
        ]
        try allow(keys, in: object, "a person")
        guard let tenant = try object.text("tenant"), let id = try object.text("id"),
            let username = try object.text("username")
        else { throw .invalidInput("A person of the seed file has no tenant, id or username.") }
        var person = Person(id: "\(tenant):\(id)", username: username, isSimple: false)
        person.email = try object.text("email")
        person.displayName = try object.text("displayName")
        person.displayLabel = try object.text("displayLabel")
        person.avatar = try object.text("avatar")
        person.websiteURL = try object.text("websiteUrl")
        person.groupIDs = try object.texts("groupIds")
        person.isAdmin = try object.flag("isAdmin") ?? false
        person.isModerator = try object.flag("isModerator") ?? false
        return SeedPerson(tenant: tenant, person: person)
    }

    private static func page(_ object: JSONObject) throws(APIError) -> SeedPage {
        try allow(["tenant", "urlId", "url", "title", "isClosed", "groupIds", "comments"], in: object, "a page")
        guard let tenant = try object.text("tenant"),
            let urlID = try object.text("urlId").flatMap(PageIdentity.canonical)
        else { throw .invalidInput("A page of the seed file has no tenant or no usable urlId.") }
        return SeedPage(
            tenant: tenant, urlID: urlID, url: try object.text("url") ?? urlID, title: try object.text("title"),
            isClosed: try object.flag("isClosed"), groupIDs: try object.texts("groupIds"),
            comments: try (object.objects("comments") ?? []).map(comment))
    }

    private static func comment(_ object: JSONObject) throws(APIError) -> SeedComment {
        let keys = ["author", "name", "comment", "date", "isPinned", "isLocked", "replies"]
        try allow(keys, in: object, "a comment")
        let author = try object.text("author")
        let name = try object.text("name")
        guard (author == nil) != (name == nil), try object.text("comment") != nil else {
            throw .invalidInput("A comment of the seed file needs a text, and either an author or a name.")
        }
        return SeedComment(
            author: author, name: name, body: object, date: object["date"]?.integer,
            isPinned: try object.flag("isPinned") ?? false, isLocked: try object.flag("isLocked") ?? false,
            replies: try (object.objects("replies") ?? []).map(comment))
    }

    private static func allow(_ keys: [String], in object: JSONObject, _ what: String) throws(APIError) {
        for (name, _) in object.members where !keys.contains(name) {
            throw .invalidInput("Unknown key \"\(name)\" in \(what). Known keys: \(keys.joined(separator: ", ")).")
        }
    }
}

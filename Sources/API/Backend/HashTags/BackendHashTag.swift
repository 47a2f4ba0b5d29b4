import Domain
import JSON
import Storage

/// A tag of a tenant as its backend reads it (contract: admin 5.15); closed key set.
struct BackendHashTag: JSONWritable, Sendable {
    let id: String
    let tag: String
    let url: String?
    let tenant: String
    let createdAt: Int64

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("tenantId", tenant)
            json.member("tag", tag)
            json.member("url", ifPresent: url)
        }
    }

    // MARK: Storage

    private static func row(_ row: borrowing Row) throws(APIError) -> BackendHashTag {
        BackendHashTag(
            id: row.text(0), tag: row.text(1), url: row.textOrNil(2), tenant: row.text(3), createdAt: row.int64(4))
    }

    /// In the order of their letters.
    static func list(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [BackendHashTag] {
        try session.query(
            """
            SELECT id, tag, url, tenant_id, created_at FROM hash_tag WHERE tenant_id = ?1
            ORDER BY tag, id LIMIT ?2 OFFSET ?3
            """,
            .text(tenant), .int(limit), .int(skip), row: row)
    }

    /// - Parameter key: what tags are compared by.
    static func find(
        _ key: String, tenant: String, in session: inout Session
    ) throws(APIError) -> BackendHashTag? {
        try session.first(
            "SELECT id, tag, url, tenant_id, created_at FROM hash_tag WHERE tenant_id = ?1 AND tag_key = ?2",
            .text(tenant), .text(key), row: row)
    }

    /// Inserts or replaces a tag, by its id.
    func save(in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO hash_tag (id, tenant_id, tag, tag_key, url, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET tag = excluded.tag, tag_key = excluded.tag_key, url = excluded.url
            """,
            .text(id), .text(tenant), .text(tag), .text(HashTags.normalised(tag)), .text(url), .integer(createdAt))
    }

    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM hash_tag WHERE id = ?1", .text(id))
    }
}

/// What a backend says of a tag, checked.
struct HashTagWrite: Sendable {
    private static let urlLimit = 2000

    /// With its `#`; nil when absent.
    let tag: String?
    let url: Change<String>

    /// - Throws: `invalid-tag`, `url-too-long` (422), `invalid-input` (400).
    init(_ body: JSONObject) throws(APIError) {
        tag = try body.filled("tag").map { text throws(APIError) in try Self.checked(text) }
        guard let value = body["url"] else {
            url = .keep
            return
        }
        guard value.isNull || value.string != nil else { throw .invalidInput("url must be a string.") }
        guard let text = value.string, !text.isEmpty else {
            url = .clear
            return
        }
        guard text.unicodeScalars.count <= Self.urlLimit else {
            throw APIError(422, "url-too-long", "url may have up to \(Self.urlLimit) characters.")
        }
        guard WebAddress.isWeb(text) else { throw .invalidInput("url must be an http or https address.") }
        url = .set(text)
    }

    /// Letters, digits, `_` and `-` behind the `#`, which may be left out.
    static func checked(_ text: String) throws(APIError) -> String {
        let bare = text.first == "#" || text.first == "＃" ? String(text.dropFirst()) : text
        let isTag = bare.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_" || scalar == "-"
                || scalar.properties.generalCategory == .nonspacingMark
        }
        guard !bare.isEmpty, bare.count <= HashTags.maximumLength, isTag else {
            throw APIError(
                422, "invalid-tag",
                "A tag is made of up to \(HashTags.maximumLength) letters, digits, \"_\" and \"-\".")
        }
        return "#" + bare.composed
    }
}

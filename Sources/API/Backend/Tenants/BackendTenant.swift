import Domain
import JSON
import Storage

/// A tenant as a backend reads it (contract: admin 5.7); closed key set. Nothing is billed here, and the keys that must
/// be there say so.
struct BackendTenant: JSONWritable, Sendable {
    static let packageID = "self-hosted"

    let id: String
    let name: String
    let email: String?
    let parent: String?
    /// Objects with `id`, `domain` and `createdAt` in milliseconds.
    private let domains: [JSONValue]
    let moderation: ModerationSettings
    let meta: JSONObject
    private let createdAt: Int64

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("name", name)
            json.member("email", ifPresent: email)
            json.member("signUpDate", createdAt)
            json.member("packageId", Self.packageID)
            json.member("paymentFrequency", 0)
            json.member("billingInfoValid", true)
            json.member("createdBy", parent ?? "")
            json.member("isSetup", true)
            writeDomains(to: &json)
            json.member("enableProfanityFilter", moderation.filtersProfanity)
            json.member("enableSpamFilter", moderation.filtersSpam)
            json.member("removeUnverifiedComments", moderation.removesUnverified)
            json.member("unverifiedCommentsTTLms", moderation.unverifiedLifetime)
            json.member("commentsRequireApproval", moderation.requiresApproval)
            json.member("autoApproveCommentOnVerification", moderation.approvesVerified)
            json.member("sendProfaneToSpam", moderation.sendsProfaneToSpam)
            json.member("hasAuditing", true)
            if !meta.members.isEmpty { json.member("meta", JSONValue.object(meta)) }
        }
    }

    private func writeDomains(to json: inout JSONWriter) {
        json.key("domainConfiguration")
        json.beginArray()
        for domain in domains {
            json.object { json in
                json.member("id", domain.object?["id"]?.string ?? "")
                json.member("domain", domain.object?["domain"]?.string ?? "")
                json.member("createdAt", dateOrNull: domain.object?["createdAt"]?.integer)
            }
        }
        json.endArray()
    }

    // MARK: Storage

    static func find(_ id: String, in session: inout Session) throws(APIError) -> BackendTenant? {
        // Not one that is being removed.
        guard try TenantSQL.exists(id, in: &session) else { return nil }
        return try session.first(
            """
            SELECT t.id, t.name, t.owner_email, t.parent_id, (
                SELECT json_group_array(json_object('id', d.id, 'domain', d.domain, 'createdAt', d.created_at))
                FROM (SELECT * FROM domain_config WHERE tenant_id = t.id ORDER BY seq) AS d
            ), t.moderation, t.meta, t.created_at
            FROM tenant AS t WHERE t.id = ?1
            """,
            .text(id)
        ) { (row) throws(APIError) -> BackendTenant in BackendTenant(row) }
    }

    private init(_ row: borrowing Row) {
        id = row.text(0)
        name = row.text(1)
        email = row.textOrNil(2)
        parent = row.textOrNil(3)
        domains = (try? JSONValue.parse(row.text(4)))?.array ?? []
        moderation = ModerationSettings(parsing: row.text(5))
        meta = JSONText.members(row.text(6))
        createdAt = row.int64(7)
    }

    /// Those that a tenant made, or all of the server, by when they came.
    /// - Parameters:
    ///   - parent: nil is all.
    ///   - meta: each of these texts must be theirs.
    static func list(
        of parent: String?, meta: JSONObject, skip: Int, limit: Int, in session: inout Session
    ) throws(APIError) -> [BackendTenant] {
        try session.query(
            """
            SELECT t.id, t.name, t.owner_email, t.parent_id, (
                SELECT json_group_array(json_object('id', d.id, 'domain', d.domain, 'createdAt', d.created_at))
                FROM (SELECT * FROM domain_config WHERE tenant_id = t.id ORDER BY seq) AS d
            ), t.moderation, t.meta, t.created_at
            FROM tenant AS t JOIN tenant_change AS v ON v.tenant_id = t.id
            WHERE (?1 IS NULL OR t.parent_id = ?1) AND NOT EXISTS (
                SELECT 1 FROM json_each(?2) AS f WHERE NOT EXISTS (
                    SELECT 1 FROM json_each(t.meta) AS m WHERE m.key = f.key AND m.value = f.value))
            ORDER BY t.created_at, t.id LIMIT ?3 OFFSET ?4
            """,
            .text(parent), .text(JSONText.object(meta)), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> BackendTenant in BackendTenant(row) }
    }
}

import Domain
import Storage

/// Whether oldest-first trees of a page are paged from their newest end, as screens for chats need it (contract: live 6).
/// Off unless switched on: such requests look like any other.
package enum ChatPaging {
    /// What the page says, else its tenant, else the server.
    static func isOn(_ page: Page, _ services: Services, in session: inout Session) throws(APIError) -> Bool {
        let choice = try session.first(
            """
            SELECT COALESCE(p.chat_paging, t.chat_paging) FROM page AS p JOIN tenant AS t ON t.id = p.tenant_id
            WHERE p.id = ?1
            """,
            .integer(page.id)
        ) { (row) throws(APIError) -> Bool? in row.boolOrNil(0) }
        return (choice ?? nil) ?? services.pagesChatsFromTail
    }

    /// Switches it for a page, or for all pages of a tenant that have no choice of their own; nil leaves it to the level
    /// above. On the writer.
    /// - Throws: `not-found` (404) without such a tenant, `invalid-input` (400) when `page` names none.
    package static func set(
        _ isOn: Bool?, tenant: String, page: String?, in session: inout Session
    ) throws(APIError) {
        guard try TenantSQL.find(tenant, in: &session) != nil else {
            throw APIError(404, "not-found", "There is no tenant \(tenant).")
        }
        guard let page else {
            try session.run("UPDATE tenant SET chat_paging = ?2 WHERE id = ?1", .text(tenant), .bool(isOn))
            return
        }
        guard let urlID = PageIdentity.canonical(page) else { throw .invalidInput("\"\(page)\" names no page.") }
        let known = try PageSQL.findOrInsert(urlID, replacesKnown: false, tenant: tenant, in: &session)
        try session.run("UPDATE page SET chat_paging = ?2 WHERE id = ?1", .integer(known.id), .bool(isOn))
    }
}

import Domain
import Storage

/// Puts a seed file into the store, in one transaction. Seeding twice updates what the file
/// names of tenants, people and pages, and adds comments.
package enum Seeder {
    /// How much was put in.
    package struct Summary: Sendable {
        /// Made or updated.
        package var tenants = 0
        /// Made or updated.
        package var people = 0
        /// Made or added to.
        package var pages = 0
        /// Added, replies included.
        package var comments = 0
    }

    /// Runs on the writer.
    /// - Throws: `invalid-input` for references to what is not there.
    package static func load(_ file: SeedFile, in session: inout Session) throws(APIError) -> Summary {
        var summary = Summary()
        for tenant in file.tenants {
            try save(tenant, in: &session)
            summary.tenants += 1
        }
        for entry in file.people {
            _ = try requireTenant(entry.tenant, in: &session)
            try PersonSQL.save(entry.person, digest: nil, tenant: entry.tenant, in: &session)
            try PersonSQL.touchPages(of: entry.person.id, tenant: entry.tenant, in: &session)
            summary.people += 1
        }
        for page in file.pages {
            summary.comments += try save(page, in: &session)
            summary.pages += 1
        }
        return summary
    }

    private static func requireTenant(_ id: String, in session: inout Session) throws(APIError) -> Tenant {
        guard let tenant = try TenantSQL.find(id, in: &session) else {
            throw .invalidInput("The seed file names a tenant \"\(id)\" that neither it nor the store has.")
        }
        return tenant
    }

    private static func save(_ tenant: SeedFile.SeedTenant, in session: inout Session) throws(APIError) {
        if try TenantSQL.find(tenant.id, in: &session) == nil {
            try TenantSQL.insert(id: tenant.id, name: tenant.id, ownerEmail: nil, domains: [], in: &session)
        }
        try session.run(
            """
            UPDATE tenant SET name = COALESCE(?2, name), owner_email = COALESCE(?3, owner_email),
                domains = COALESCE(?4, domains), settings = COALESCE(?5, settings),
                allows_simple_sso = COALESCE(?6, allows_simple_sso)
            WHERE id = ?1
            """,
            .text(tenant.id), .text(tenant.name), .text(tenant.ownerEmail), .text(tenant.domains.map(JSONText.list)),
            .text(tenant.settings.map(JSONText.object)), .bool(tenant.allowsSimpleSSO))
        let keys = try TenantSQL.find(tenant.id, in: &session)?.keys ?? []
        if let key = tenant.key ?? (keys.isEmpty ? Identifier.apiKey() : nil) {
            try TenantSQL.addKey(key, to: tenant.id, in: &session)
        }
    }

    /// - Returns: how many comments the page got.
    private static func save(_ seed: SeedFile.SeedPage, in session: inout Session) throws(APIError) -> Int {
        let tenant = try requireTenant(seed.tenant, in: &session)
        let page = try PageSQL.findOrInsert(
            seed.urlID, PageFacts(url: seed.url, title: seed.title), replacesKnown: true, tenant: seed.tenant,
            in: &session)
        try session.run(
            """
            UPDATE page SET is_closed = COALESCE(?2, is_closed), group_ids = COALESCE(?3, group_ids) WHERE id = ?1
            """,
            .integer(page.id), .bool(seed.isClosed), .text(seed.groupIDs.map(JSONText.list)))
        var count = 0
        // Parents before children, without recursion: a seed may be as deep as its reader allows.
        var waiting: [(SeedFile.SeedComment, CommentRow.Parent?)] = seed.comments.reversed().map { ($0, nil) }
        while let (comment, parent) = waiting.popLast() {
            let stored = try save(
                comment, below: parent, on: page, tenant, date: session.now + Int64(count), in: &session)
            waiting += comment.replies.reversed().map { ($0, stored) }
            count += 1
        }
        try PageSQL.touch(page.id, in: &session)
        return count
    }

    private static func save(
        _ seed: SeedFile.SeedComment, below parent: CommentRow.Parent?, on page: Page, _ tenant: Tenant, date: Int64,
        in session: inout Session
    ) throws(APIError) -> CommentRow.Parent {
        let draft = try CommentDraft(seed.body, tenant: tenant, in: &session)
        var row = CommentRow(
            page: page, parent: parent, draft: draft, name: seed.name ?? "", createdAt: seed.date ?? date)
        if let author = seed.author {
            let id = "\(tenant.id):\(author)"
            guard let person = try PersonSQL.find(id, tenant: tenant.id, in: &session)?.person else {
                throw .invalidInput("The seed file names an author \"\(author)\" who is not among the people.")
            }
            row = CommentRow(
                page: page, parent: parent, draft: draft, name: person.shownName, createdAt: seed.date ?? date)
            row.userID = id
            row.isVerified = true
            row.isByAdmin = person.isAdmin
            row.isByModerator = person.isModerator
        } else {
            row.guestID = Identifier.guest()
        }
        row.url = page.urlID
        let id = try NewCommentSQL.insert(row, in: &session)
        let seq = try CommentSQL.require(id, tenant: tenant.id, in: &session).seq
        if seed.isPinned { try CommentSQL.setPinned(seq, at: session.now, in: &session) }
        if seed.isLocked { try CommentSQL.setLocked(seq, true, in: &session) }
        return CommentRow.Parent(seq: seq, id: id)
    }
}

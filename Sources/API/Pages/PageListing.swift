import Domain
import Storage

/// Finds the pages of a list.
struct PageListing {
    /// Pages read at a time in the order that the database keeps.
    private static let chunk: Int64 = 500

    let request: PageListRequest
    let caller: Caller
    let counts: PageCounts

    /// At most one page more than were asked for, in order.
    mutating func find(_ threads: ThreadCache, in session: inout Session) throws(APIError) -> [ListedPage] {
        request.order == .updatedAt ? try newest(threads, in: &session) : try sorted(threads, in: &session)
    }

    private func newest(_ threads: ThreadCache, in session: inout Session) throws(APIError) -> [ListedPage] {
        var found: [ListedPage] = []
        var place = request.cursor?.place ?? (.max, .max)
        while found.count <= request.limit {
            let rows = try Self.pages(caller.tenant.id, before: place, limit: Self.chunk, in: &session)
            guard let last = rows.last else { break }
            place = (last.updatedAt, last.page.id)
            let listed = rows.filter(isListed)
            // Counting is the costly part.
            let wanted = request.needsComments ? listed : Array(listed.prefix(request.limit + 1 - found.count))
            found += try counted(wanted, threads, in: &session)
        }
        return Array(found.prefix(request.limit + 1))
    }

    private func sorted(_ threads: ThreadCache, in session: inout Session) throws(APIError) -> [ListedPage] {
        let rows = try Self.pages(caller.tenant.id, before: (.max, .max), limit: .max, in: &session).filter(isListed)
        let pages = request.order == .title && !request.needsComments ? rows : try counted(rows, threads, in: &session)
        var places = pages.map { (page: $0, place: PageCursor(request.order, $0)) }
        if let cursor = request.cursor { places.removeAll { !(cursor < $0.place) } }
        let found = places.sorted { $0.place < $1.place }.prefix(request.limit + 1).map(\.page)
        return try counted(found, threads, in: &session)
    }

    private func isListed(_ page: ListedPage) -> Bool {
        caller.tenant.settings(of: page.page).enablesPageChat && caller.mayRead(page.page)
            && page.titleKey.utf8.starts(with: request.prefix.utf8)
    }

    /// With the numbers of comments; pages without any are left out where comments are asked for.
    private func counted(
        _ pages: [ListedPage], _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [ListedPage] {
        var numbers = try counts.find(pages.map(\.page), threads, in: &session)
        for page in pages.map(\.page) {
            let hidden = try GroupLimit.hidden(from: caller, on: page, in: &session)
            guard !hidden.isEmpty else { continue }
            numbers[page.id] = try threads.index(of: page, viewer: .reader, direction: .newestFirst, in: &session)
                .without(hidden, viewer: .reader, direction: .newestFirst).totalCount
        }
        return pages.compactMap { page in
            var page = page
            page.commentCount = numbers[page.page.id] ?? 0
            return request.needsComments && page.commentCount == 0 ? nil : page
        }
    }

    private static func pages(
        _ tenant: String, before place: (updatedAt: Int64, id: Int64), limit: Int64, in session: inout Session
    ) throws(APIError) -> [ListedPage] {
        try session.query(
            """
            SELECT id, tenant_id, url_id, is_closed, group_ids, version, view_version, url, title, updated_at
            FROM page
            WHERE tenant_id = ?1 AND (updated_at, id) < (?2, ?3) ORDER BY updated_at DESC, id DESC LIMIT ?4
            """,
            .text(tenant), .integer(place.updatedAt), .integer(place.id), .integer(limit)
        ) { (row) throws(APIError) -> ListedPage in ListedPage(row) }
    }
}

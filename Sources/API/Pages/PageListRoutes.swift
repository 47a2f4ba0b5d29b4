import Domain
import HTTP1
import JSON
import Storage

/// The pages of a tenant, for clients that list them as rooms (contract: public 14.1).
enum PageListRoutes {
    static func register(on routes: inout Routes) {
        routes.read(.get, "/pages/{tenantId}", "getPagesPublic", getPagesPublic)
    }

    /// Pages where chat is switched on and the visitor may enter.
    static func getPagesPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let request = try PageListRequest(visit.call)
        let caller = try Caller.resolve(visit, in: &session)
        guard visit.tenant.rules.mayHold(\.enablesPageChat) else {
            return .json(PageListAnswer(pages: [], next: nil))
        }
        var listing = PageListing(request: request, caller: caller, counts: visit.call.services.pageCounts)
        let pages = try listing.find(visit.call.services.threads, in: &session)
        let shown = Array(pages.prefix(request.limit))
        let next = pages.count > shown.count ? shown.last.map { PageCursor(request.order, $0).text } : nil
        return .json(PageListAnswer(pages: shown, next: next))
    }
}

private struct PageListAnswer: JSONWritable, Sendable {
    let pages: [ListedPage]
    let next: String?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("pages", pages)
            json.member("nextCursor", orNull: next)
        }
    }
}

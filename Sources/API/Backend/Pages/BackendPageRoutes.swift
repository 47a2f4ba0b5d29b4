import Domain
import HTTP1
import JSON
import Storage

/// Pages for a site's own backend (contract: admin 5.3).
enum BackendPageRoutes {
    private static let resource = "Page"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "pages", "GetPages", read: getPages)
        routes.backend(.get, "pages/by-url-id", "GetPageByURLId", read: getPageByURLID)
        routes.backend(.post, "pages", "AddPage", prepare: addPage)
        routes.backend(.patch, "pages/{id}", "PatchPage", prepare: patchPage)
        routes.backend(.delete, "pages/{id}", "DeletePage", write: deletePage)
    }

    private static func getPages(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let pages = try BackendPage.all(visit, in: &session)
        return .json(Answer { $0.member("pages", pages) })
    }

    private static func getPageByURLID(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let page = try BackendPage.find(urlID: visit.call.pageID(), visit, in: &session) else {
            throw APIError(404, "page-not-found", "There is no page with this urlId.")
        }
        return .json(Answer { $0.member("page", page) })
    }

    private static func addPage(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let write = try PageWrite.new(visit)
        let urlID = write.urlID ?? ""
        // One that was removed may have comments.
        let former = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        let totals = try former.map { (page) throws(APIError) -> CommentTotals in
            try BackendPage.totals(of: page, visit, in: &session)
        }
        return { (session) throws(APIError) -> Reply in
            guard try !BackendPage.isThere(urlID, visit, in: &session) else { throw alreadyExists }
            let facts = PageFacts(url: write.url, title: write.title)
            let made = try PageSQL.findOrInsert(
                urlID, facts, replacesKnown: true, tenant: visit.tenant.id, in: &session)
            try PageWriteSQL.change(made, write, visit.call.services, in: &session)
            try visit.note(.create, resource, String(made.id), in: &session)
            let page = try BackendPage.require(String(made.id), visit, totals: totals ?? CommentTotals(), in: &session)
            return .json(Answer { $0.member("page", page) })
        }
    }

    private static let alreadyExists = APIError(409, "already-exists", "There is a page with this urlId already.")

    /// Comments are counted before: that may take longer than the writer has for anybody.
    private static func patchPage(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let write = try PageWrite.change(visit)
        let id = visit.call.parameter("id")
        let before = try BackendPage.require(id, visit, in: &session).page
        let totals = try BackendPage.totals(of: before, visit, in: &session)
        let updated = write.concernsComments ? try PageWriteSQL.countComments(of: before.id, in: &session) : 0
        return { (session) throws(APIError) -> Reply in
            let former = try BackendPage.require(id, visit, in: &session).page
            if let urlID = write.urlID, urlID != former.urlID {
                guard try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session) == nil else { throw alreadyExists }
            }
            try PageWriteSQL.change(former, write, visit.call.services, in: &session)
            if let isClosed = write.isClosed {
                try ThreadState.set(isClosed, BackendPage.require(id, visit, in: &session).page, in: &session)
            }
            try visit.note(.update, resource, id, in: &session)
            let page = try BackendPage.require(id, visit, totals: totals, in: &session)
            return .json(
                Answer { json in
                    json.member("page", page)
                    json.member("commentsUpdated", updated)
                })
        }
    }

    private static func deletePage(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let id = visit.call.parameter("id")
        let page = try BackendPage.require(id, visit, in: &session).page
        try PageWriteSQL.delete(page, in: &session)
        try visit.note(.delete, resource, id, in: &session)
        return .success
    }
}

import Domain
import HTTP1
import JSON
import Live
import Storage

/// Closing threads for new comments, and opening them again (contract: admin 6, live 2.3).
enum ThreadStateRoutes {
    static func register(on routes: inout Routes) {
        // Clients of two generations spell the path with and without a segment.
        for base in ["/auth/my-account/moderate-comments", "/auth/my-account/moderate-comments/mod_api"] {
            routes.write(.put, base + "/close-thread", "putCloseThread", putCloseThread)
            routes.write(.put, base + "/reopen-thread", "putReopenThread", putReopenThread)
        }
    }

    static func putCloseThread(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try setClosed(true, visit, &session)
    }

    static func putReopenThread(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try setClosed(false, visit, &session)
    }

    /// A page that is not there yet is made; asking twice changes nothing.
    private static func setClosed(_ isClosed: Bool, _ visit: Visit, _ session: inout Session) throws(APIError) -> Reply
    {
        let urlID = try visit.call.pageID()
        let caller = try Caller.resolve(visit, in: &session)
        guard caller.key != nil else { throw .notLoggedIn }
        guard caller.isStaff else {
            throw APIError(
                403, "unauthorized", "Only administrators and moderators may do that.", phrase: .notAllowed)
        }
        let page = try PageSQL.findOrInsert(urlID, from: caller, in: &session)
        guard page.isClosed != isClosed else { return .success }
        try session.run(
            "UPDATE page SET is_closed = ?2 WHERE id = ?1", .integer(page.id), .bool(isClosed))
        try session.emit(
            LiveEvent.make(.threadStateChange, broadcastID: nil, at: session.now) { $0.member("isClosed", isClosed) },
            to: page.room)
        return .success
    }
}

import Domain
import Storage

extension CommentRoutes {
    /// Flags or unflags a comment for the viewer; asking twice changes nothing (contract: public 10.1).
    static func flagCommentPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        guard let isFlagged = try visit.call.flag("isFlagged") else {
            throw .invalidInput("The query parameter isFlagged is missing.")
        }
        let caller = try Caller.resolve(visit, in: &session)
        let comment = try CommentSQL.requireVisible(visit.call.parameter("commentId"), to: caller, in: &session)
        guard !comment.isDeleted else { throw .commentNotFound }
        let page = try PageSQL.find(id: comment.pageID, in: &session)
        try caller.requireWriting(page)
        let key = try flaggerKey(caller, visit, visit.tenant.settings(of: page))
        let change = CommentModeration(
            tenant: visit.tenant, services: visit.call.services, actor: nil, broadcastID: nil)
        if isFlagged {
            try change.flag(comment, by: key, in: &session)
        } else {
            try change.unflag(comment, by: key, in: &session)
        }
        return .success
    }

    /// Where anonymous flags are allowed, the address stands for the person; it is kept as a hash.
    private static func flaggerKey(
        _ caller: Caller, _ visit: Visit, _ settings: WidgetSettings
    ) throws(APIError) -> String {
        if let key = caller.key { return key }
        guard settings.allowsAnonymousFlags else { throw .notLoggedIn }
        return "address:" + visit.call.services.addresses.of(visit.call.clientAddress.key, tenant: visit.tenant.id)
    }
}

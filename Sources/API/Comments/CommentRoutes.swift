import HTTP1

/// Comments of a page (contract: public 5 to 11).
enum CommentRoutes {
    static func register(on routes: inout Routes) {
        routes.repeated("/comments/{tenantId}", "getCommentsPublic", getCommentsPublic)
        routes.prepared(.post, "/comments/{tenantId}", "createCommentPublic", createCommentPublic)
        routes.add(.get, "/comments-for-user", "getCommentsForUser", read: getCommentsForUser)
        let comment = "/comments/{tenantId}/{commentId}"
        routes.write(.delete, comment, "deleteCommentPublic", deleteCommentPublic)
        routes.write(.get, comment + "/text", "getCommentText", getCommentText)
        routes.prepared(.post, comment + "/update-text", "setCommentText", setCommentText)
        routes.write(.post, comment + "/pin", "pinComment", pinComment)
        routes.write(.post, comment + "/unpin", "unPinComment", unPinComment)
        routes.write(.post, comment + "/lock", "lockComment", lockComment)
        routes.write(.post, comment + "/unlock", "unLockComment", unLockComment)
        routes.write(.post, "/flag-comment/{commentId}", "flagCommentPublic", flagCommentPublic)
    }
}

import HTTP1

/// A tenant's feed of posts (contract: live 5).
enum FeedRoutes {
    static func register(on routes: inout Routes) {
        let feed = "/feed-posts/{tenantId}"
        routes.read(.get, feed, "getFeedPostsPublic", getFeedPostsPublic)
        routes.prepared(.post, feed, "createFeedPostPublic", createFeedPostPublic)
        routes.prepared(.put, feed + "/{postId}", "updateFeedPostPublic", updateFeedPostPublic)
        routes.write(.delete, feed + "/{postId}", "deleteFeedPostPublic", deleteFeedPostPublic)
        routes.write(.post, feed + "/react/{postId}", "reactFeedPostPublic", reactFeedPostPublic)
        routes.read(.get, feed + "/user-reacts", "getUserReactsPublic", getUserReactsPublic)
        routes.read(.get, feed + "/stats", "getFeedPostsStats", getFeedPostsStats)
    }
}

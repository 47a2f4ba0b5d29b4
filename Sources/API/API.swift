import HTTP1
import Server

/// Every route of the server.
package enum API {
    /// The frozen table.
    /// - Parameter hasSuiteKeys: adds the routes that test suites make their tenants by.
    package static func routes(hasSuiteKeys: Bool) -> RouteTable<Endpoint> {
        var routes = Routes()
        CommentRoutes.register(on: &routes)
        VoteRoutes.register(on: &routes)
        BlockRoutes.register(on: &routes)
        PeopleRoutes.register(on: &routes)
        AccountRoutes.register(on: &routes)
        PageListRoutes.register(on: &routes)
        PagePeopleRoutes.register(on: &routes)
        EventLogRoutes.register(on: &routes)
        PresenceRoutes.register(on: &routes)
        NotificationRoutes.register(on: &routes)
        FeedRoutes.register(on: &routes)
        PageReactRoutes.register(on: &routes)
        GifRoutes.register(on: &routes)
        ModerationRoutes.register(on: &routes)
        QueueRoutes.register(on: &routes)
        QueueSearchRoutes.register(on: &routes)
        ModeratedTextRoutes.register(on: &routes)
        ExportRoutes.register(on: &routes)
        BanRoutes.register(on: &routes)
        ModerationVoteRoutes.register(on: &routes)
        ModerationBadgeRoutes.register(on: &routes)
        TrustRoutes.register(on: &routes)
        UserBadgeRoutes.register(on: &routes)
        BackendRoutes.register(on: &routes)
        UploadRoutes.register(on: &routes)
        TranslationRoutes.register(on: &routes)
        HealthRoutes.register(on: &routes)
        MetricsRoutes.register(on: &routes)
        FrontPageRoutes.register(on: &routes)
        ModeratePageRoutes.register(on: &routes)
        routes.add(.get, "/sub", "subscribe", work: .socket)
        if hasSuiteKeys { SuiteRoutes.register(on: &routes) }
        return routes.router.frozen()
    }
}

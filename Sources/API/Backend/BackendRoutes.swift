/// Everything that a site's own backend may call (contract: admin 5).
enum BackendRoutes {
    static func register(on routes: inout Routes) {
        BackendCommentRoutes.register(on: &routes)
        BackendVoteRoutes.register(on: &routes)
        BackendPageRoutes.register(on: &routes)
        BackendPersonRoutes.register(on: &routes)
        BackendUserRoutes.register(on: &routes)
        BackendHashTagRoutes.register(on: &routes)
        BackendFeedRoutes.register(on: &routes)
        BackendNoticeRoutes.register(on: &routes)
        BackendSubscriptionRoutes.register(on: &routes)
        TenantUserRoutes.register(on: &routes)
        BackendModeratorRoutes.register(on: &routes)
        TenantRoutes.register(on: &routes)
        DomainConfigRoutes.register(on: &routes)
        PlanRoutes.register(on: &routes)
        DailyUsageRoutes.register(on: &routes)
        QuestionConfigRoutes.register(on: &routes)
        QuestionResultRoutes.register(on: &routes)
        QuestionSumsRoutes.register(on: &routes)
        EmailTemplateRoutes.register(on: &routes)
        AggregateRoutes.register(on: &routes)
        AuditLogRoutes.register(on: &routes)
        WebhookRoutes.register(on: &routes)
        PendingWebhookRoutes.register(on: &routes)
    }
}

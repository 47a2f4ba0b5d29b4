import Domain
import HTTP1

/// Operations of the contract that are not built yet. They answer 501, so that a client learns it at once.
package enum NotBuiltRoutes {
    static func register(on routes: inout Routes) {
        for (method, pattern, operation) in operations {
            for pattern in spellings(pattern) {
                routes.add(
                    method, pattern, operation, allowsCrossOrigin: !pattern.hasPrefix("/api/v1/"),
                    work: .instant { (_) throws(APIError) -> Reply in throw .notBuilt(operation) })
            }
        }
    }

    /// Clients of two generations spell the paths of moderation with and without a segment.
    private static func spellings(_ pattern: String) -> [String] {
        let parts = pattern.split(separator: "/")
        guard parts.contains("mod_api") else { return [pattern] }
        return [pattern, "/" + parts.filter { $0 != "mod_api" }.joined(separator: "/")]
    }

    /// Method, path and name, in the order of the contract.
    package static let operations: [(Method, String, String)] = [
        (.get, "/api/v1/tickets", "GetTickets"),
        (.post, "/api/v1/tickets", "CreateTicket"),
        (.get, "/api/v1/tickets/{id}", "GetTicket"),
        (.patch, "/api/v1/tickets/{id}/state", "ChangeTicketState"),
        (.get, "/api/v1/tenant-packages/{id}", "GetTenantPackage"),
        (.put, "/api/v1/tenant-packages/{id}", "ReplaceTenantPackage"),
        (.patch, "/api/v1/tenant-packages/{id}", "UpdateTenantPackage"),
        (.delete, "/api/v1/tenant-packages/{id}", "DeleteTenantPackage"),
        (.get, "/api/v1/tenant-packages", "GetTenantPackages"),
        (.post, "/api/v1/tenant-packages", "CreateTenantPackage"),
        (.get, "/api/v1/tenant-daily-usage", "GetTenantDailyUsages"),
        (.get, "/api/v1/question-results/{id}", "GetQuestionResult"),
        (.patch, "/api/v1/question-results/{id}", "UpdateQuestionResult"),
        (.delete, "/api/v1/question-results/{id}", "DeleteQuestionResult"),
        (.get, "/api/v1/question-results", "GetQuestionResults"),
        (.post, "/api/v1/question-results", "CreateQuestionResult"),
        (.get, "/api/v1/question-results-aggregation", "AggregateQuestionResults"),
        (.post, "/api/v1/question-results-aggregation/bulk", "BulkAggregateQuestionResults"),
        (.get, "/api/v1/question-results-aggregation/combine/comments", "CombineCommentsWithQuestionResults"),
        (.get, "/api/v1/question-configs/{id}", "GetQuestionConfig"),
        (.patch, "/api/v1/question-configs/{id}", "UpdateQuestionConfig"),
        (.delete, "/api/v1/question-configs/{id}", "DeleteQuestionConfig"),
        (.get, "/api/v1/question-configs", "GetQuestionConfigs"),
        (.post, "/api/v1/question-configs", "CreateQuestionConfig"),
        (.get, "/api/v1/email-templates/definitions", "GetEmailTemplateDefinitions"),
        (.get, "/api/v1/email-templates/{id}/render-errors", "GetEmailTemplateRenderErrors"),
        (.delete, "/api/v1/email-templates/{id}/render-errors/{errorId}", "DeleteEmailTemplateRenderError"),
        (.get, "/api/v1/email-templates/{id}", "GetEmailTemplate"),
        (.patch, "/api/v1/email-templates/{id}", "UpdateEmailTemplate"),
        (.delete, "/api/v1/email-templates/{id}", "DeleteEmailTemplate"),
        (.get, "/api/v1/email-templates", "GetEmailTemplates"),
        (.post, "/api/v1/email-templates", "CreateEmailTemplate"),
        (.post, "/api/v1/email-templates/render", "RenderEmailTemplate"),
        (.get, "/api/v1/domain-configs", "GetDomainConfigs"),
        (.post, "/api/v1/domain-configs", "AddDomainConfig"),
        (.get, "/api/v1/domain-configs/{domain}", "GetDomainConfig"),
        (.delete, "/api/v1/domain-configs/{domain}", "DeleteDomainConfig"),
        (.put, "/api/v1/domain-configs/{domainToUpdate}", "PutDomainConfig"),
        (.patch, "/api/v1/domain-configs/{domainToUpdate}", "PatchDomainConfig"),
        (.post, "/api/v1/aggregate", "Aggregate"),
    ]
}

extension APIError {
    static func notBuilt(_ what: String) -> APIError {
        APIError(501, "not-implemented", "\(what) is not built yet. The README lists what is.")
    }
}

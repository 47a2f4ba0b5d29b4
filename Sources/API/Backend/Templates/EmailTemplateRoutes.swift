import Domain
import HTTP1
import JSON
import Storage

/// Mail in a site's own words (contract: admin 5.18).
enum EmailTemplateRoutes {
    private static let pageSize = 100
    private static let resource = "EmailTemplate"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "email-templates", "GetEmailTemplates", read: getEmailTemplates)
        routes.backend(.post, "email-templates", "CreateEmailTemplate", prepare: createEmailTemplate)
        routes.backend(
            .get, "email-templates/definitions", "GetEmailTemplateDefinitions", read: getEmailTemplateDefinitions)
        routes.backend(.post, "email-templates/render", "RenderEmailTemplate", prepare: renderEmailTemplate)
        routes.backend(.get, "email-templates/{id}", "GetEmailTemplate", read: getEmailTemplate)
        routes.backend(.patch, "email-templates/{id}", "UpdateEmailTemplate", prepare: updateEmailTemplate)
        routes.backend(.delete, "email-templates/{id}", "DeleteEmailTemplate", write: deleteEmailTemplate)
        routes.backend(.get, "email-templates/{id}/render-errors", "GetEmailTemplateRenderErrors", read: getErrors)
        routes.backend(
            .delete, "email-templates/{id}/render-errors/{errorId}", "DeleteEmailTemplateRenderError",
            write: deleteError)
    }

    private static func getEmailTemplates(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        // The documentation counts pages, the clients rows.
        let page = try visit.call.count("page", code: "invalid-skip") ?? 0
        let templates = try EmailTemplateSQL.list(
            skip: visit.skip() + page * pageSize, limit: pageSize, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("emailTemplates", templates) })
    }

    private static func getEmailTemplateDefinitions(_: BackendVisit, _: inout Session) throws(APIError) -> Reply {
        .json(Answer { $0.member("definitions", MailDefinition.all) })
    }

    private static func getEmailTemplate(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let template = try named(visit, in: &session)
        return .json(Answer { $0.member("emailTemplate", template) })
    }

    private static func named(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> EmailTemplate {
        let id = visit.call.parameter("id")
        guard let template = try EmailTemplateSQL.find(id, tenant: visit.tenant.id, in: &session) else {
            throw APIError(404, "not-found", "There is no template with this id.")
        }
        return template
    }

    // MARK: Changing

    private static func createEmailTemplate(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        _ = try visit.filledBody()
        let draft = try EmailTemplateWrite.new(visit.body(only: EmailTemplateWrite.members)).applied(
            to: EmailTemplate())
        try draft.requireRenders()
        return { (session) throws(APIError) -> Reply in
            var template = draft
            template.id = Identifier.timeOrdered(at: session.now)
            template.tenant = visit.tenant.id
            template.createdAt = session.now
            try save(template, .create, visit, in: &session)
            let made = template
            return .json(Answer { $0.member("emailTemplate", made) })
        }
    }

    private static func updateEmailTemplate(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        _ = try visit.filledBody()
        let write = try EmailTemplateWrite(visit.body(only: EmailTemplateWrite.members))
        return { (session) throws(APIError) -> Reply in
            var template = try write.applied(to: named(visit, in: &session))
            try template.requireRenders()
            template.updatedAt = session.now
            try save(template, .update, visit, in: &session)
            return .success
        }
    }

    /// - Throws: `domain-invalid`, `duplicate` (422).
    private static func save(
        _ template: EmailTemplate, _ act: AuditLog.Act, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) {
        let tenant = visit.tenant.id
        if template.domain != "*", try DomainConfig.find(template.domain, tenant: tenant, in: &session) == nil {
            throw EmailTemplateWrite.domainInvalid
        }
        let other = try EmailTemplateSQL.id(
            of: template.templateID, on: template.domain, tenant: tenant, in: &session)
        guard other == nil || other == template.id else {
            throw APIError(422, "duplicate", "The domain has a template for this mail already.")
        }
        try EmailTemplateSQL.save(template, in: &session)
        try visit.note(act, resource, template.id, in: &session)
    }

    private static func deleteEmailTemplate(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let template = try named(visit, in: &session)
        try EmailTemplateSQL.delete(template.id, in: &session)
        try visit.note(.delete, resource, template.id, in: &session)
        return .success
    }

    // MARK: Rendering

    /// Where the text is that of a template that the site has, a failure is noted with it.
    private static func renderEmailTemplate(
        _ visit: BackendVisit, _: inout Session
    ) throws(APIError) -> WriteUnit {
        _ = try visit.filledBody()
        let body = try visit.body(only: EmailTemplateWrite.members)
        let draft = try EmailTemplateWrite.rendering(body).applied(to: EmailTemplate())
        let html: String
        do {
            html = try draft.rendered(locale: visit.call.text("locale") ?? "en_us")
        } catch {
            let failure = error
            return { (session) throws(APIError) -> Reply in try refusal(failure, draft, visit, in: &session) }
        }
        return { (_) throws(APIError) -> Reply in .json(Answer { $0.member("html", html) }) }
    }

    private static func refusal(
        _ error: APIError, _ draft: EmailTemplate, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> Reply {
        let tenant = visit.tenant.id
        guard
            let id = try EmailTemplateSQL.id(
                of: draft.templateID, source: draft.source, tenant: tenant, in: &session)
        else { throw error }
        try EmailTemplateError.note(error.reason, of: id, tenant: tenant, in: &session)
        return .refused(error)
    }

    private static func getErrors(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let errors = try EmailTemplateError.list(
            named(visit, in: &session).id, skip: visit.skip(), limit: pageSize, in: &session)
        return .json(Answer { $0.member("renderErrors", errors) })
    }

    private static func deleteError(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let template = try named(visit, in: &session)
        guard try EmailTemplateError.delete(visit.call.parameter("errorId"), of: template.id, in: &session) else {
            throw APIError(404, "not-found", "There is no such error.")
        }
        return .success
    }
}

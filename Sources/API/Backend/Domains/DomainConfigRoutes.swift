import Domain
import HTTP1
import JSON
import Storage

/// Domains of a site, and what its mail says in their name (contract: admin 5.17). The tenant's list decides whose pages
/// may call; it changes with them, in the same transaction.
enum DomainConfigRoutes {
    private static let resource = "DomainConfig"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "domain-configs", "GetDomainConfigs", read: getDomainConfigs)
        routes.backend(.post, "domain-configs", "AddDomainConfig", prepare: addDomainConfig)
        routes.backend(.get, "domain-configs/{domain}", "GetDomainConfig", read: getDomainConfig)
        routes.backend(.delete, "domain-configs/{domain}", "DeleteDomainConfig", write: deleteDomainConfig)
        routes.backend(.put, "domain-configs/{domainToUpdate}", "PutDomainConfig", prepare: putDomainConfig)
        routes.backend(.patch, "domain-configs/{domainToUpdate}", "PatchDomainConfig", prepare: patchDomainConfig)
    }

    private static func getDomainConfigs(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let configs = try DomainConfig.all(of: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("configurations", configs) })
    }

    private static func getDomainConfig(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        answer(try named("domain", visit, orRefuse: "domain-does-not-exist", in: &session))
    }

    private static func answer(_ config: DomainConfig) -> Reply {
        .json(Answer { $0.member("configuration", config) })
    }

    /// The domain of the path.
    private static func named(
        _ parameter: String, _ visit: BackendVisit, orRefuse code: String, in session: inout Session
    ) throws(APIError) -> DomainConfig {
        let text = visit.call.parameter(parameter)
        let domain = SiteDomain.canonical(text) ?? text.lowercased()
        guard let config = try DomainConfig.find(domain, tenant: visit.tenant.id, in: &session) else {
            throw APIError(404, code, "The site has no such domain.")
        }
        return config
    }

    // MARK: Changing

    private static func addDomainConfig(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try DomainWrite(visit.filledBody())
        guard let domain = write.domain else { throw missingDomain }
        return { (session) throws(APIError) -> Reply in
            let tenant = visit.tenant.id
            guard try DomainConfig.find(domain, tenant: tenant, in: &session) == nil else {
                throw APIError(422, "configuration-exists-for-domain", "The site has this domain already.")
            }
            let domains = try domains(of: tenant, in: &session)
            guard domains.count < DomainConfig.maximumCount else {
                throw .invalidInput("A site may have at most \(DomainConfig.maximumCount) domains.")
            }
            try TenantSQL.setDomains(domains + [domain], of: tenant, in: &session)
            try DomainConfig.save(write.applied(to: nil), of: domain, tenant: tenant, in: &session)
            return try changed(domain, .create, visit, in: &session)
        }
    }

    private static let missingDomain = APIError(422, "missing-domain", "domain is missing.")

    private static func putDomainConfig(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try DomainWrite(visit.filledBody())
        guard write.domain != nil else { throw missingDomain }
        return change(write, visit, keepsOthers: false)
    }

    private static func patchDomainConfig(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        change(try DomainWrite(visit.filledBody()), visit, keepsOthers: true)
    }

    /// - Parameter keepsOthers: whether what the body does not mention stays.
    private static func change(_ write: DomainWrite, _ visit: BackendVisit, keepsOthers: Bool) -> WriteUnit {
        { (session) throws(APIError) -> Reply in
            let tenant = visit.tenant.id
            let former = try named("domainToUpdate", visit, orRefuse: "domain-does-not-exist", in: &session)
            let domain = write.domain ?? former.domain
            if domain != former.domain {
                guard try DomainConfig.find(domain, tenant: tenant, in: &session) == nil else {
                    throw APIError(422, "update-would-create-duplicate", "The site has a domain of that name already.")
                }
                let domains = try domains(of: tenant, in: &session)
                try DomainConfig.rename(former.domain, to: domain, tenant: tenant, in: &session)
                let renamed = domains.map { $0.lowercased() == former.domain ? domain : $0 }
                try TenantSQL.setDomains(renamed, of: tenant, in: &session)
            }
            let facts = write.applied(to: keepsOthers ? former.facts : nil)
            try DomainConfig.save(facts, of: domain, tenant: tenant, in: &session)
            return try changed(domain, .update, visit, in: &session)
        }
    }

    private static func deleteDomainConfig(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let config = try named("domain", visit, orRefuse: "domain-config-does-not-exist", in: &session)
        let domains = try domains(of: visit.tenant.id, in: &session).filter { $0.lowercased() != config.domain }
        try TenantSQL.setDomains(domains, of: visit.tenant.id, in: &session)
        try visit.note(.delete, resource, config.domain, in: &session)
        return .success
    }

    /// The list as it is now, which another request may have changed since the key was checked.
    private static func domains(of tenant: String, in session: inout Session) throws(APIError) -> [String] {
        try TenantSQL.find(tenant, in: &session)?.domains ?? []
    }

    private static func changed(
        _ domain: String, _ act: AuditLog.Act, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> Reply {
        try visit.note(act, resource, domain, in: &session)
        guard let config = try DomainConfig.find(domain, tenant: visit.tenant.id, in: &session) else {
            throw .internal("A domain of the list has no row.")
        }
        return answer(config)
    }
}

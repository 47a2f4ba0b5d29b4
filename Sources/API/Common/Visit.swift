import Domain
import HTTP1
import Server
import Storage

/// A call to a public route whose tenant and sign-on were checked. Made on the loop; carries no right yet.
struct Visit: Sendable {
    let call: Call
    let tenant: Tenant
    /// Whom the `sso` parameter proved; nil for a visitor who is not signed in.
    let sso: SSOIdentity?
    /// A guest's session, as sent.
    let sessionToken: String?

    /// - Throws: `invalid-tenant` (404), `malformed-sso` (401), `domain-unauthorized` (403).
    init(_ call: Call, in session: inout Session) throws(APIError) {
        guard let tenant = try Self.tenant(of: call, in: &session) else {
            throw .invalidTenant
        }
        try self.init(call, tenant, in: &session)
    }

    /// - Throws: `malformed-sso` (401), `domain-unauthorized` (403).
    init(_ call: Call, _ tenant: Tenant, in session: inout Session) throws(APIError) {
        var tenant = tenant
        try call.requireSite(of: tenant)
        tenant.site = call.site
        self.call = call
        self.tenant = tenant
        sessionToken = call.text("sessionId")
        guard let text = call.text("sso") else {
            sso = nil
            return
        }
        let verifier = SSOVerifier(
            tenant: tenant.id, keys: tenant.keys, allowsSimple: tenant.allowsSimpleSSO, now: session.now)
        sso = try verifier.verify(text, session: sessionToken)
    }

    /// The tenant that a call names: in its path, or as a parameter, or by the ids of people it asks for, which begin
    /// with their tenant (contract: public 19). `all` as a parameter is no tenant.
    static func tenant(of call: Call, in session: inout Session) throws(APIError) -> Tenant? {
        if let id = call.parameters["tenantId"] { return try TenantSQL.find(id, in: &session) }
        if let id = call.text("tenantId"), id != "all" { return try TenantSQL.find(id, in: &session) }
        for name in ["repliesToUserId", "userId"] {
            guard let parts = call.text(name)?.split(separator: ":", maxSplits: 1), parts.count == 2 else { continue }
            if let tenant = try TenantSQL.find(String(parts[0]), in: &session) { return tenant }
        }
        return nil
    }
}

extension Visit {
    /// What holds on the page that the request names in `urlId`; without one, what holds everywhere. Where a comment
    /// leads to the page, ask the tenant about that: a request may name any page.
    var settings: WidgetSettings {
        guard !tenant.rules.rules.isEmpty, let page = PageIdentity.canonical(call.query["urlId"] ?? "") else {
            return tenant.settings
        }
        return tenant.settings(of: page)
    }
}

extension Call {
    /// Host of the site whose page sent this; nil for native clients.
    var site: String? {
        let headers = request.head.headers
        return (headers["origin"] ?? headers["referer"]).flatMap(WebAddress.host)
    }

    /// - Throws: `domain-unauthorized` (403) for a page of a site that the tenant does not serve.
    func requireSite(of tenant: Tenant) throws(APIError) {
        let headers = request.head.headers
        guard tenant.admits(origin: headers["origin"] ?? headers["referer"]) || isSameOrigin else {
            throw APIError(403, "domain-unauthorized", "This tenant does not serve pages of this site.")
        }
    }

    /// Our own pages may call for any tenant.
    var isSameOrigin: Bool {
        let headers = request.head.headers
        guard let origin = headers["origin"] ?? headers["referer"] else {
            // A page may keep back where it is, but not that it is another site's.
            return ["same-origin", "none"].contains(headers["sec-fetch-site"] ?? "none")
        }
        return WebAddress.host(origin) == WebAddress.host("http://" + request.head.authority)
    }

    /// Whether a page of this very server sent this, or no page at all: what may use a session. Another port of the same
    /// machine is another server.
    var isOwnPage: Bool {
        let headers = request.head.headers
        guard let origin = headers["origin"] ?? headers["referer"] else {
            // A page may keep back where it is, but not that it is another site's.
            return ["same-origin", "none"].contains(headers["sec-fetch-site"] ?? "none")
        }
        guard let page = Self.authority(of: origin) else { return false }
        return page == request.head.authority.lowercased() || page == Self.authority(of: publicOrigin)
    }

    /// Host and port of an address, in lower case.
    private static func authority(of address: String) -> String? {
        guard WebAddress.host(address) != nil else { return nil }
        let rest = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2).first
        return rest.map { $0.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased() }
    }
}

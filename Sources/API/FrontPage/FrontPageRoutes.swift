import Crypto
import Domain
import HTTP1
import JSON
import Server
import Storage

/// `GET /`: what this is, and a thread to try.
enum FrontPageRoutes {
    static func register(on routes: inout Routes) {
        routes.add(.get, "/", "frontPage", read: frontPage)
    }

    private static func frontPage(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let tenants = try TenantSQL.all(in: &session).map(\.id)
        let wanted = call.text("tenant")
        guard wanted.map(tenants.contains) ?? true else { return unknownTenant }
        let tenant = wanted ?? tenants.first ?? ""
        let nonce = SecureRandom.token(16)
        // Only ids and tokens of our own making are put into the page, and none has a character that HTML minds.
        let page = EmbeddedPage.filled(EmbeddedPage.filled(html, "{{tenant}}", tenant), "{{nonce}}", nonce)
        let headers: HeaderFields = [
            "content-type": "text/html; charset=utf-8", "cache-control": "no-store",
            "content-security-policy":
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-\(nonce)'; connect-src 'self' ws: wss:; "
                + "img-src https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        return .response(Response(status: 200, headers: headers, body: .bytes(Array(page.utf8))))
    }

    private static let unknownTenant = Reply.response(
        Response(
            status: 404, headers: ["content-type": "text/plain; charset=utf-8", "cache-control": "no-store"],
            body: .bytes(Array("There is no tenant with this id. \"parley tenant list\" names them.\n".utf8))))

    /// Markup, style and scripts as one document: the page is there after one answer.
    private static let html: String = {
        let script = EmbeddedPage.joined([
            PackageResources.shared_js, PackageResources.line_js, PackageResources.state_js, PackageResources.ask_js,
            PackageResources.live_js, PackageResources.thread_js, PackageResources.forms_js,
            PackageResources.reactions_js, PackageResources.people_js, PackageResources.bell_js,
            PackageResources.feed_js, PackageResources.page_js,
        ])
        let page = EmbeddedPage.text(PackageResources.index_html)
        let styled = EmbeddedPage.filled(page, "{{style}}", EmbeddedPage.text(PackageResources.page_css))
        return EmbeddedPage.filled(styled, "{{script}}", script)
    }()
}

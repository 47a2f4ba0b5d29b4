import Bytes
import Crypto
import Domain
import HTTP1
import RichText
import Server
import Storage

/// The page where a site's team looks through its comments. All it does goes through the moderators' API.
enum ModeratePageRoutes {
    static let path = "/moderate"

    static func register(on routes: inout Routes) {
        routes.add(.get, path, "moderatePage", allowsCrossOrigin: false, read: page)
        routes.add(.get, path + "/page.js", "moderateScript", allowsCrossOrigin: false, work: .instant(script.answer))
        routes.add(.get, path + "/page.css", "moderateStyle", allowsCrossOrigin: false, work: .instant(style.answer))
        routes.add(.get, ModeratorRoom.path, "moderateLive", allowsCrossOrigin: false, work: .socket)
        let base = "moderate-comments/mod_api/"
        routes.moderation(.get, base + "removed-comments", "getRemovedComments", read: RemovedComments.list)
        routes.moderation(.get, base + "banned-users", "getBannedUsers", read: BanList.list)
        routes.moderation(.get, base + "thread-state", "getThreadState", read: ModerationRoutes.threadState)
    }

    private static func page(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        guard let token = call.cookie(Account.cookie), let account = try AccountSQL.find(session: token, in: &session)
        else { return redirect(to: "/auth/my-account?to=" + PercentEncoding.encodeComponent(address(of: call))) }
        guard try account.mayModerate(in: &session) else { return redirect(to: "/auth/my-account") }
        let values = [
            ("{{tenant}}", account.tenant), ("{{name}}", account.name), ("{{email}}", account.email),
        ]
        let body = values.reduce(html) { html, value in
            EmbeddedPage.filled(html, value.0, Escaping.attribute(value.1))
        }
        let headers: HeaderFields = [
            "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "referrer-policy": "same-origin",
            "x-content-type-options": "nosniff",
            "content-security-policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        return .response(Response(status: 200, headers: headers, body: .bytes(Array(body.utf8))))
    }

    /// With the filter, which is a part of it.
    private static func address(of call: Call) -> String {
        let query = call.request.head.rawQuery
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func redirect(to target: String) -> Reply {
        .response(Response(status: 303, headers: ["cache-control": "no-store", "location": target]))
    }

    private static let html = EmbeddedPage.text(PackageResources.moderate_html)

    private static let script = PageFile(
        type: "text/javascript; charset=utf-8",
        [
            PackageResources.shared_js, PackageResources.line_js, PackageResources.desk_js, PackageResources.card_js,
            PackageResources.views_js, PackageResources.queue_js, PackageResources.decide_js,
            PackageResources.details_js,
            PackageResources.bulk_js, PackageResources.ban_js, PackageResources.person_js, PackageResources.search_js,
            PackageResources.keys_js, PackageResources.watch_js, PackageResources.moderate_js,
        ])

    private static let style = PageFile(
        type: "text/css; charset=utf-8", [PackageResources.page_css, PackageResources.moderate_css])
}

/// A file that browsers keep and ask about.
private struct PageFile: Sendable {
    private let type: String
    private let bytes: [UInt8]
    private let tag: String

    init(type: String, _ parts: [[UInt8]]) {
        self.type = type
        bytes = Array(EmbeddedPage.joined(parts).utf8)
        tag = "\"\(Hex.encode(Array(Digest.sha256(bytes).prefix(12))))\""
    }

    func answer(_ call: Call) throws(APIError) -> Reply {
        var headers: HeaderFields = ["cache-control": "no-cache", "etag": tag, "x-content-type-options": "nosniff"]
        guard !ETag.isKnown(tag, to: call.request.head) else {
            return .response(Response(status: 304, headers: headers))
        }
        headers.add("content-type", type)
        return .response(Response(status: 200, headers: headers, body: .bytes(bytes)))
    }
}

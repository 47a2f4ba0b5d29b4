import Domain
import HTTP1
import Server

extension Call {
    /// The value of a cookie, the last one of that name.
    func cookie(_ name: String) -> String? {
        for header in request.head.headers.all("cookie").reversed() {
            for pair in header.split(separator: ";").reversed() {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, String(parts[0]).trimmed == name { return String(parts[1]).trimmed }
            }
        }
        return nil
    }

    /// Whether the client came over TLS, as far as the server or a trusted proxy saw.
    var isSecure: Bool {
        if request.isSecure { return true }
        guard services.proxies.trusts(request.peerAddress) else { return false }
        return request.head.headers.all("x-forwarded-proto").last?.lowercased() == "https"
    }

    /// A cookie that scripts cannot read and that is sent from pages of other sites as well. Browsers take such cookies
    /// over TLS only; without it, the cookie is for our own pages.
    func embeddableCookie(_ name: String, _ value: String, path: String, seconds: Int64) -> String {
        let reach = isSecure ? "SameSite=None; Secure" : "SameSite=Lax"
        return "\(name)=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; \(reach)"
    }
}

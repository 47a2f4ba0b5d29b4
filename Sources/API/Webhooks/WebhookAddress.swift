import Domain
import Outbound
import Reactor

/// Where a webhook calls, and for the pages of which host.
package struct WebhookAddress: Sendable {
    /// As it is called: http or https, at most `Webhook.addressLimit` bytes.
    package let url: String
    /// In lower case; `*` is every one.
    package let domain: String

    /// What is refused here is refused again at each call, once the name is known.
    /// - Parameter policy: hosts that the operator named may be anywhere.
    /// - Throws: `invalid-input` (422).
    package init(_ text: String, domain: String, _ policy: AddressPolicy) throws(APIError) {
        guard text.utf8.count <= Webhook.addressLimit, let url = OutboundURL(text) else {
            throw APIError(
                422, "invalid-input",
                "url must be an http or https address without a user's name, of at most \(Webhook.addressLimit) bytes.")
        }
        guard policy.allows(url) || !Self.isPrivate(url) else {
            throw APIError(
                422, "invalid-input",
                """
                url leads to an address that is not public. Whoever runs the server can allow its host with \
                --outbound-allow or PARLEY_OUTBOUND_ALLOW.
                """)
        }
        self.url = url.text
        self.domain = try Self.checked(domain)
    }

    private static func isPrivate(_ url: OutboundURL) -> Bool {
        if url.host == "localhost" || url.host.hasSuffix(".localhost") { return true }
        let addresses = SocketAddress.all(host: url.host, port: url.port, isNumeric: true)
        return addresses.contains { !AddressPolicy.isPublic($0) }
    }

    private static func checked(_ domain: String) throws(APIError) -> String {
        if domain == "*" { return domain }
        guard let url = OutboundURL("http://\(domain)"), url.host == domain.lowercased() else {
            throw APIError(422, "invalid-input", "domain must be a host, or * for all.")
        }
        return url.host
    }
}

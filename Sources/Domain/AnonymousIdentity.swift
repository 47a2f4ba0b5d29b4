import Bytes
import Crypto

/// For whom the server takes a visitor who neither signed on nor has a session (contract: public 15): whoever comes
/// from the same address with the same program. A token makes that identity last when the address changes.
package struct AnonymousIdentity: Sendable {
    private let secret: [UInt8]

    /// - Parameter secret: the server's own key, at least 32 bytes.
    package init(secret: [UInt8]) { self.secret = secret }

    /// The wire id for what is known of a visitor, `anon:` and 24 hex digits. It does not tell the address.
    package func derived(tenant: String, address: String, agent: String) -> String {
        // Lengths keep ("ab", "c") and ("a", "bc") apart.
        let parts = [tenant, address].map { "\($0.utf8.count):\($0)" }.joined()
        return "anon:" + Hex.encode(Array(hash("visitor:" + parts + agent).prefix(12)))
    }

    /// A token that proves an identity of a tenant: hex digits and a point.
    package func token(for identity: String, tenant: String) -> String {
        let id = identity.utf8.dropFirst("anon:".utf8.count)
        return String(decoding: id, as: UTF8.self) + "." + Hex.encode(Array(proof(identity, tenant).prefix(16)))
    }

    /// The identity that a token proves; nil for any token not made here for this tenant.
    package func identity(of token: String, tenant: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let given = Hex.decode(String(parts[1])) else { return nil }
        let identity = "anon:" + parts[0]
        return constantTimeEquals(given, Array(proof(identity, tenant).prefix(16))) ? identity : nil
    }

    private func proof(_ identity: String, _ tenant: String) -> [UInt8] {
        hash("visitor-token:\(tenant.utf8.count):\(tenant)\(identity)")
    }

    private func hash(_ message: String) -> [UInt8] { HMAC.sha256(Array(message.utf8), key: secret) }
}

import Bytes
import Crypto

/// The `userIdWS` of the contract (live 1.3): names an identity and proves it, without a row in the database.
///
/// Form: `<identity, base64url>.<HMAC, base64url>`; the same identity of a tenant always gets the same token.
package struct PresenceToken: Sendable {
    private let key: HMACKey

    /// - Parameter secret: the server's own key, at least 32 bytes.
    package init(secret: [UInt8]) { key = HMACKey(secret) }

    /// - Parameter identity: wire id of a person or guest (`tenant:x` or `anon:x`).
    package func mint(tenant: String, identity: String) -> String {
        Base64.encodeURL(Array(identity.utf8)) + "." + Base64.encodeURL(signature(tenant, identity))
    }

    /// A token for a reader of whom nothing is known and nothing is kept.
    package func mintForStranger(tenant: String) -> String { mint(tenant: tenant, identity: Identifier.guest()) }

    /// The identity that the token proves; nil for any token not minted here for this tenant.
    package func identity(of token: String, tenant: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Base64.decodeURL(parts[0]), let proof = Base64.decodeURL(parts[1]),
            let identity = String(validating: name, as: UTF8.self),
            constantTimeEquals(proof, signature(tenant, identity))
        else { return nil }
        return identity
    }

    /// The identity that the token names. Proves nothing: `identity(of:tenant:)` does, once the tenant is known.
    package static func claim(of token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Base64.decodeURL(parts[0]) else { return nil }
        return String(validating: name, as: UTF8.self)
    }

    /// What stands for an identity of a tenant where it may not be kept itself: 16 bytes that do not tell it.
    package func fingerprint(of identity: String, tenant: String) -> [UInt8] { signature(tenant, identity) }

    private func signature(_ tenant: String, _ identity: String) -> [UInt8] {
        // The tenant's length keeps ("ab", "c") and ("a", "bc") apart.
        let message = "presence:\(tenant.utf8.count):\(tenant)\(identity)"
        return Array(key.sha256(Array(message.utf8)).prefix(16))
    }
}

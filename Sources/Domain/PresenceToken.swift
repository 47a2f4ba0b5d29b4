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
    package func mintForStranger(tenant: String) -> String {
        var token = [UInt8](repeating: 0, count: StrangerTokens.length)
        strangers(of: tenant).put(into: &token, at: 0)
        return String(decoding: token, as: UTF8.self)
    }

    /// Makes many of them.
    package func strangers(of tenant: String) -> StrangerTokens {
        StrangerTokens(key: key, prefix: Array((Self.proven(tenant) + Identifier.guestPrefix).utf8))
    }

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
        Array(key.sha256(Array((Self.proven(tenant) + identity).utf8)).prefix(Self.proofLength))
    }

    /// What precedes the identity in what is signed. The tenant's length keeps ("ab", "c") and ("a", "bc") apart.
    private static func proven(_ tenant: String) -> String { "presence:\(tenant.utf8.count):\(tenant)" }

    fileprivate static let proofLength = 16
}

/// Presence tokens for readers of one tenant of whom nothing is known, each another one.
package struct StrangerTokens: Sendable {
    private static let nameLength = Identifier.guestPrefix.utf8.count + 2 * Identifier.guestBytes
    /// Bytes of a token, all of them ASCII.
    package static let length = Base64.urlLength(of: nameLength) + 1 + Base64.urlLength(of: PresenceToken.proofLength)

    fileprivate let key: HMACKey
    /// What is signed before the random part of a name.
    fileprivate let prefix: [UInt8]

    /// Writes a new token.
    package func put(into output: inout [UInt8], at start: Int) {
        var message = prefix
        message.reserveCapacity(prefix.count + 2 * Identifier.guestBytes)
        for byte in SecureRandom.bytes(Identifier.guestBytes) {
            message.append(Hex.digit(byte >> 4))
            message.append(Hex.digit(byte & 15))
        }
        Base64.putURL(message.suffix(Self.nameLength), into: &output, at: start)
        let dot = start + Base64.urlLength(of: Self.nameLength)
        output[dot] = ASCII.dot
        Base64.putURL(key.sha256(message).prefix(PresenceToken.proofLength), into: &output, at: dot + 1)
    }
}

import Bytes
import Crypto

/// How a client's address is kept: so that the same one is known again within its tenant, and cannot be told from it.
package struct AddressHash: Sendable {
    private let secret: [UInt8]

    /// - Parameter secret: the server's own key, at least 32 bytes.
    package init(secret: [UInt8]) { self.secret = secret }

    /// 32 hex digits.
    /// - Parameter address: of a client, or of the network that is its own.
    package func of(_ address: String, tenant: String) -> String {
        let message = "address:\(tenant.utf8.count):\(tenant)\(address)"
        return Hex.encode(Array(HMAC.sha256(Array(message.utf8), key: secret).prefix(16)))
    }
}

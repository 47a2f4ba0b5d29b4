import Bytes
import Crypto
import JSON

/// Decides whom an `sso` parameter proves (contract: public 3.2 and 3.3).
package struct SSOVerifier: Sendable {
    /// Older signatures are refused: two days.
    package static let maximumAge: Int64 = 2 * 24 * 3600 * 1000
    /// Clocks may differ by five minutes.
    package static let maximumSkew: Int64 = 5 * 60 * 1000

    private let tenant: String
    private let keys: [String]
    private let allowsSimple: Bool
    private let now: Int64

    /// - Parameters:
    ///   - keys: the tenant's active API keys; any of them may have signed.
    ///   - now: milliseconds since 1970.
    package init(tenant: String, keys: [String], allowsSimple: Bool, now: Int64) {
        self.tenant = tenant
        self.keys = keys
        self.allowsSimple = allowsSimple
        self.now = now
    }

    /// The data of the person signed on; nil for a visitor who is not signed in.
    /// - Parameter session: the guest session that came along, if any: it tells people who only gave a name apart.
    /// - Throws: `malformed-sso` or `invalid-email`, with a reason that names the fault.
    package func verify(_ text: String, session: String?) throws(APIError) -> SSOIdentity? {
        switch try SSOPayload.parse(text) {
        case .nobody: return nil
        case .secure(let data, let hash, let timestamp): return try verifySecure(data, hash, timestamp)
        case .simple(let user): return try verifySimple(user, session: session)
        }
    }

    private func verifySecure(_ data: String, _ hash: String, _ timestamp: Int64) throws(APIError) -> SSOIdentity? {
        guard let bytes = Base64.decode(data), let value = try? JSONValue.parse(bytes) else {
            throw .malformedSSO("The SSO user data is no base64 of a JSON object.")
        }
        if value.isNull { return nil }
        guard let user = value.object else { throw .malformedSSO("The SSO user data is no JSON object.") }
        if user.members.isEmpty { return nil }
        guard Self.isSigned(data, hash, timestamp, by: keys) else {
            throw .malformedSSO("The SSO verification hash does not match the user data and timestamp.")
        }
        guard timestamp <= now + Self.maximumSkew else { throw .malformedSSO("The SSO timestamp lies in the future.") }
        guard timestamp >= now - Self.maximumAge else {
            throw .malformedSSO("The SSO timestamp is older than two days. Sign the user data anew.")
        }
        let changes = try PersonChanges(secure: user)
        return SSOIdentity(
            id: "\(tenant):\(changes.id)", isSimple: false, changes: changes, digest: Self.digest("secure", bytes),
            signedAt: timestamp)
    }

    /// Whether any of the keys made the hash of what an `sso` parameter holds.
    package static func isSigned(_ data: String, _ hash: String, _ timestamp: Int64, by keys: [String]) -> Bool {
        guard let claimed = Hex.decode(hash) else { return false }
        let message = Array("\(timestamp)\(data)".utf8)
        var isSigned = false
        for key in keys where constantTimeEquals(HMAC.sha256(message, key: Array(key.utf8)), claimed) {
            isSigned = true
        }
        return isSigned
    }

    private func verifySimple(_ user: JSONObject, session: String?) throws(APIError) -> SSOIdentity? {
        guard allowsSimple else {
            throw .malformedSSO("This site accepts signed (secure) single sign-on only.")
        }
        let changes = try PersonChanges(simple: user)
        return SSOIdentity(
            id: "\(tenant):\(unsignedID(changes, session: session))", isSimple: true, changes: changes,
            digest: Self.digest("simple", JSONValue.object(user).jsonBytes()), signedAt: 0)
    }

    /// People who sign on without a signature get ids of their own, made from what they say: nobody can claim the id of
    /// somebody whom the site will sign for later, and an address is not shown to everyone.
    private func unsignedID(_ changes: PersonChanges, session: String?) -> String {
        let source =
            if !changes.id.isEmpty {
                "id:\(changes.id)"
            } else if case .set(let email) = changes.email {
                "email:\(email.lowercased())"
            } else {
                "name:\(session ?? ""):\(changes.username)"
            }
        return "s" + Hex.encode(Array(Digest.sha256(Array("\(tenant):\(source)".utf8)).prefix(12)))
    }

    private static func digest(_ kind: String, _ bytes: [UInt8]) -> String {
        Base64.encodeURL(Array(Digest.sha256(Array(kind.utf8) + bytes).prefix(18)))
    }
}

/// Whom an `sso` parameter proved.
package struct SSOIdentity: Sendable {
    /// Wire id, `<tenant>:<id given by the site>`.
    package let id: String
    /// Unsigned: confers no rights and may never touch what signed data made.
    package let isSimple: Bool
    /// What the payload says of the person.
    package let changes: PersonChanges
    /// Equal digests mean equal data.
    package let digest: String
    /// Milliseconds since 1970; 0 for unsigned data.
    package let signedAt: Int64
}

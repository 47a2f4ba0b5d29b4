import Bytes
import Crypto
import Domain
import JSON

/// Signs as a site does, independently of the verifier.
enum Signing {
    static let now: Int64 = 1_700_000_000_000
    static let key = "test-api-secret"
    static let tester = #"{"id":"123","email":"test@example.com","username":"tester"}"#

    static func hash(_ data: String, timestamp: String, key: String = key) -> String {
        Hex.encode(HMAC.sha256(Array((timestamp + data).utf8), key: Array(key.utf8)))
    }

    static func sso(_ user: String = tester, timestamp: Int64 = now, key: String = key) -> String {
        let data = Base64.encode(Array(user.utf8))
        let hash = hash(data, timestamp: String(timestamp), key: key)
        return #"{"userDataJSONBase64":"\#(data)","verificationHash":"\#(hash)","timestamp":\#(timestamp)}"#
    }

    static func verifier(_ keys: [String] = [key], allowsSimple: Bool = true) -> SSOVerifier {
        SSOVerifier(tenant: "demo", keys: keys, allowsSimple: allowsSimple, now: now)
    }

    /// What a signed payload says of the person.
    static func changes(_ user: String) throws -> PersonChanges? {
        try verifier().verify(sso(user), session: nil)?.changes
    }

    /// A signed user with the obligatory members and `more`.
    static func user(_ more: String) -> String {
        #"{"id":"1","email":"a@b.c","username":"kim",\#(more)}"#
    }

    /// The error's code; nil when there was none.
    static func refusal(_ sso: String, _ verifier: SSOVerifier = verifier()) -> APIError? {
        do {
            _ = try verifier.verify(sso, session: nil)
            return nil
        } catch { return error }
    }
}

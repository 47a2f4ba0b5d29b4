import Bytes
import Crypto
import Domain
import JSON

/// Single sign-on: nothing is believed that is not signed, and whoever gets in is within bounds.
package enum SSOFuzz: FuzzBody {
    private static let keys = ["other", "fuzz-secret"]
    private static let now: Int64 = 1_700_000_000_000

    /// The input as the parameter, and as the user data that the site signs.
    package static func run(_ data: [UInt8]) {
        let text = String(decoding: data, as: UTF8.self)
        check(text)
        let encoded = Base64.encode(data)
        check(
            """
            {"userDataJSONBase64":"\(encoded)","timestamp":\(now),\
            "verificationHash":"\(Hex.encode(signature(encoded, now, keys[1])))"}
            """)
    }

    private static func signature(_ data: String, _ timestamp: Int64, _ key: String) -> [UInt8] {
        HMAC.sha256(Array("\(timestamp)\(data)".utf8), key: Array(key.utf8))
    }

    private static func check(_ text: String) {
        let verifier = SSOVerifier(tenant: "demo", keys: keys, allowsSimple: true, now: now)
        let identity: SSOIdentity?
        do { identity = try verifier.verify(text, session: "s") } catch {
            precondition(
                error.code == "malformed-sso" && error.status == 401
                    || error.code == "invalid-email" && error.status == 422,
                "an odd refusal")
            precondition(!error.reason.isEmpty && error.reroute == nil)
            return
        }
        guard let identity else { return }
        checkProof(of: identity, text)
        check(identity)
    }

    private static func checkProof(of identity: SSOIdentity, _ text: String) {
        switch try? SSOPayload.parse(text) {
        case .secure(let data, let hash, let timestamp):
            let isSigned = keys.contains { Hex.decode(hash) == signature(data, timestamp, $0) }
            precondition(isSigned && !identity.isSimple, "a forged sign-on")
            precondition(timestamp >= now - SSOVerifier.maximumAge && timestamp <= now + SSOVerifier.maximumSkew)
        case .simple: precondition(identity.isSimple, "unsigned data count as signed")
        default: preconditionFailure("somebody out of nothing")
        }
    }

    private static func check(_ identity: SSOIdentity) {
        precondition(identity.id.hasPrefix("demo:") && identity.id.utf8.count > 5, "an id without its tenant")
        var person = Person(id: identity.id, username: "", isSimple: true)
        person.apply(identity.changes, isSimple: identity.isSimple)
        precondition(!identity.isSimple || !person.isStaff && person.groupIDs == nil, "unsigned data confer rights")
        precondition(identity.isSimple || !person.username.isEmpty && person.email != nil, "somebody without a name")
        for name in [person.username, person.shownName] {
            precondition(CommenterName.cleaned(name) == name && name.count <= 1000, "a name that cannot be shown")
        }
        precondition(person.email.map(EmailAddress.isValid) ?? true, "an e-mail that is none")
        precondition(person.websiteURL.map(WebAddress.isWeb) ?? true, "a website that is none")
        precondition(person.avatar.map { !$0.contains("\"") && !$0.contains("<") } ?? true, "an avatar that breaks out")
        precondition((person.groupIDs?.count ?? 0) <= 100, "too many groups")
    }
}

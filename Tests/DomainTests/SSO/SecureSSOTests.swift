import Bytes
import Domain
import Testing

@Suite struct SecureSSOTests {
    private let data = "eyJpZCI6IjEyMyIsImVtYWlsIjoidGVzdEBleGFtcGxlLmNvbSIsInVzZXJuYW1lIjoidGVzdGVyIn0="
    private let hash = "f7e13d510e7f0cb11f027ce8161b8dc0f380df4aa85213ed15a973e34cb9dc2f"

    private func sso(
        data: String? = nil, hash: String? = nil, timestamp: String = "1700000000000", more: String = ""
    ) -> String {
        let data = data ?? self.data
        return
            #"{"userDataJSONBase64":"\#(data)","verificationHash":"\#(hash ?? self.hash)","timestamp":\#(timestamp)\#(more)}"#
    }

    @Test func `the vector that every client library has is accepted`() throws {
        let identity = try #require(try Signing.verifier().verify(sso(), session: nil))
        #expect(identity.id == "demo:123")
        #expect(!identity.isSimple)
        #expect(identity.changes.username == "tester")
        #expect(identity.changes.email.applied(to: nil) == "test@example.com")
        #expect(Signing.sso() == sso())
    }

    @Test func `other spellings of the same text are accepted`() throws {
        let spellings = [
            sso(hash: hash.uppercased()), sso(timestamp: "\"1700000000000\""), sso(timestamp: "1700000000000.0"),
            sso(timestamp: "1.7e12"), sso(more: #","loginURL":"https:\/\/h\/login","logoutURL":null,"extra":[1]"#),
            sso(data: data.replacing("=", with: #"\u003d"#)), sso(data: data.replacing("=", with: #"\u003D"#)),
            " \n" + sso() + " ", sso(more: #","simpleSSOUser":{"id":"other"}"#),
        ]
        for text in spellings {
            #expect(try Signing.verifier().verify(text, session: nil)?.id == "demo:123", "\(text)")
        }
    }

    @Test func `slashes in the base64 text may be escaped`() throws {
        let user = #"{"id":"1","email":"a@b.c","username":"???>>>~~~ÿÿ"}"#
        let text = Signing.sso(user)
        #expect(text.contains("/"))
        #expect(try Signing.verifier().verify(text.replacing("/", with: #"\/"#), session: nil)?.id == "demo:1")
    }

    @Test func `any active key may have signed`() throws {
        let text = Signing.sso(key: "old-secret")
        #expect(try Signing.verifier(["new", "old-secret"]).verify(text, session: nil)?.id == "demo:123")
        #expect(try Signing.verifier(["old-secret", "new"]).verify(text, session: nil)?.id == "demo:123")
        for keys in [[], ["new"], ["OLD-SECRET"], ["old-secret "]] {
            #expect(Signing.refusal(text, Signing.verifier(keys))?.code == "malformed-sso")
        }
    }

    @Test func `a signature holds for two days and may be five minutes early`() throws {
        let now = Signing.now
        for moment in [now - 172_800_000, now, now + 300_000] {
            #expect(Signing.refusal(Signing.sso(timestamp: moment)) == nil)
        }
        let old = try #require(Signing.refusal(Signing.sso(timestamp: now - 172_800_001)))
        #expect(old.reason.contains("two days"))
        let early = try #require(Signing.refusal(Signing.sso(timestamp: now + 300_001)))
        #expect(early.reason.contains("future"))
        for moment in [Int64.min, -1, 0, .max] {
            #expect(Signing.refusal(Signing.sso(timestamp: moment))?.status == 401)
        }
    }

    @Test func `what was changed after signing is refused`() throws {
        let other = Base64.encode(Array(#"{"id":"124","email":"test@example.com","username":"tester"}"#.utf8))
        let forged = [
            sso(data: other), sso(timestamp: "1700000000001"), sso(hash: String(hash.dropLast())),
            sso(hash: hash + "00"),
            sso(hash: String(hash.dropLast(2))), sso(hash: ""), sso(hash: "zz"),
            sso(hash: String(repeating: "0", count: 64)),
        ]
        for text in forged {
            let error = try #require(Signing.refusal(text), "\(text)")
            #expect(error.status == 401)
            #expect(error.code == "malformed-sso")
            #expect(error.reason.contains("hash"))
        }
    }

    @Test(arguments: [
        #""verificationHash":"ab","timestamp":null"#, #""verificationHash":"ab""#,
        #""verificationHash":"ab","timestamp":"soon""#,
        #""verificationHash":"ab","timestamp":1.5"#, #""verificationHash":"ab","timestamp":1e30"#,
        #""verificationHash":"ab","timestamp":true"#,
        #""verificationHash":"ab","timestamp":"""#, #""verificationHash":null,"timestamp":1"#, #""timestamp":1"#,
        #""verificationHash":7,"timestamp":1"#,
    ])
    func `an incomplete signature is refused with a reason`(rest: String) throws {
        let error = try #require(Signing.refusal(#"{"userDataJSONBase64":"\#(data)",\#(rest)}"#))
        #expect(error.code == "malformed-sso")
        #expect(error.reason.contains("verificationHash") || error.reason.contains("timestamp"))
    }

    @Test(arguments: ["!!!!", "eyJ", "e30", "bm90IGpzb24=", "Wzdd", "IngI=", "eyJpZCI6", "MQ==", "dHJ1ZQ==", "/w=="])
    func `user data that are no base64 of an object are refused`(data: String) {
        let hash = Signing.hash(data, timestamp: "1700000000000")
        #expect(Signing.refusal(sso(data: data, hash: hash))?.code == "malformed-sso")
    }

    @Test(arguments: ["5", "true", "false", "[]", "{}"])
    func `user data that are no text are refused, not taken for a visitor`(value: String) {
        let text = #"{"userDataJSONBase64":\#(value),"verificationHash":"ab","timestamp":1,"id":"1"}"#
        #expect(Signing.refusal(text)?.code == "malformed-sso")
    }

    @Test(arguments: [
        #"{"email":"a@b.c","username":"kim"}"#, #"{"id":"","email":"a@b.c","username":"kim"}"#,
        #"{"id":null,"email":"a@b.c","username":"kim"}"#, #"{"id":{},"email":"a@b.c","username":"kim"}"#,
        #"{"id":"1","username":"kim"}"#, #"{"id":"1","email":null,"username":"kim"}"#,
        #"{"id":"1","email":"","username":"kim"}"#, #"{"id":"1","email":"a@b.c"}"#,
        #"{"id":"1","email":"a@b.c","username":""}"#, #"{"id":"1","email":"a@b.c","username":null}"#,
        #"{"id":"1","email":"a@b.c","username":" "}"#, #"{"id":"1","email":"a@b.c","username":"<b></b>"}"#,
        #"{"id":"1","email":"a@b.c","username":"\u200b\u202e"}"#,
    ])
    func `id, e-mail and username are obligatory`(user: String) throws {
        let error = try #require(Signing.refusal(Signing.sso(user)))
        #expect(error.code == "malformed-sso")
        #expect(["id", "email", "username"].contains { error.reason.contains($0) })
    }

    @Test func `a number may be an id`() throws {
        let user = #"{"id":42,"email":"a@b.c","username":7}"#
        let identity = try #require(try Signing.verifier().verify(Signing.sso(user), session: nil))
        #expect(identity.id == "demo:42")
        #expect(identity.changes.username == "7")
    }

    @Test func `a username must not be an address`() {
        #expect(
            Signing.refusal(Signing.sso(#"{"id":"1","email":"a@b.c","username":"a@b.c"}"#))?.code == "malformed-sso")
    }

    @Test func `an e-mail that is none is refused as such`() throws {
        let error = try #require(Signing.refusal(Signing.sso(#"{"id":"1","email":"a.b.c","username":"kim"}"#)))
        #expect(error.status == 422)
        #expect(error.code == "invalid-email")
    }

    @Test func `the digest tells equal data from others`() throws {
        let verifier = Signing.verifier()
        let first = try verifier.verify(Signing.sso(), session: nil)?.digest
        #expect(try verifier.verify(Signing.sso(timestamp: Signing.now - 1), session: nil)?.digest == first)
        #expect(try verifier.verify(Signing.sso(Signing.user(#""x":1"#)), session: nil)?.digest != first)
        #expect(try verifier.verify(Signing.tester, session: nil)?.digest != first)
    }
}

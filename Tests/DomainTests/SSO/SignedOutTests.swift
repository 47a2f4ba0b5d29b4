import Domain
import Testing

@Suite struct SignedOutTests {
    @Test(arguments: [
        "{}", #"{"loginURL":"https://h"}"#, #"{"loginURL":"https://h","logoutURL":"https://h"}"#,
        #"{"userDataJSONBase64":null,"verificationHash":null,"timestamp":1700000000000}"#,
        #"{"userDataJSONBase64":"","verificationHash":"","timestamp":0}"#, #"{"timestamp":1,"verificationHash":null}"#,
        #"{"userDataJSONBase64":null,"id":"1"}"#, #"{"simpleSSOUser":null}"#, #"{"simpleSSOUser":{}}"#,
        #"{"simpleSSOUser":{"username":"","email":null}}"#, #"{"id":null,"username":"","email":null}"#,
        #"{"avatar":"https://h"}"#,
    ])
    func `a site with sign-on may have visitors who are not signed in`(text: String) throws {
        #expect(try Signing.verifier().verify(text, session: nil) == nil)
        #expect(try Signing.verifier(allowsSimple: false).verify(text, session: nil) == nil)
    }

    @Test(arguments: ["null", "{}", " {} "])
    func `so may signed data of nobody`(user: String) throws {
        #expect(try Signing.verifier().verify(Signing.sso(user), session: nil) == nil)
        #expect(try Signing.verifier().verify(Signing.sso(user, timestamp: 0, key: "x"), session: nil) == nil)
    }

    @Test(arguments: ["invalid-sso-data", "", " ", "[]", "5", "null", "\"x\"", "{", "{}x", "{'a':1}", "\u{0}"])
    func `what is no object is refused with the words that clients compare`(text: String) {
        let error = Signing.refusal(text)
        #expect(error?.status == 401)
        #expect(error?.code == "malformed-sso")
        #expect(error?.reason == "SSO Request Malformed")
    }
}

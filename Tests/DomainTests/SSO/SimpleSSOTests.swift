import Domain
import Testing

@Suite struct SimpleSSOTests {
    private func identity(_ text: String, session: String? = nil) throws -> SSOIdentity? {
        try Signing.verifier().verify(text, session: session)
    }

    @Test(arguments: [
        #"{"simpleSSOUser":{"id":"7","username":"kim","email":"K@b.c"},"loginURL":"https://h"}"#,
        #"{"id":"7","username":"kim","email":"K@b.c"}"#, #"{"id":7,"username":"kim","email":"K@b.c"}"#,
        #"{"userDataJSONBase64":null,"simpleSSOUser":{"id":"7","username":"kim","email":"K@b.c"}}"#,
    ])
    func `wrapped and bare users are the same`(text: String) throws {
        let identity = try #require(try identity(text))
        #expect(identity.id.hasPrefix("demo:s"))
        #expect(try identity.id == self.identity(#"{"id":"7","username":"li"}"#)?.id)
        #expect(try identity.id != self.identity(#"{"id":"8","username":"kim"}"#)?.id)
        #expect(identity.isSimple)
        #expect(identity.changes.username == "kim")
        #expect(identity.changes.email.applied(to: nil) == "K@b.c")
    }

    @Test func `without an id the address makes one that does not show it`() throws {
        let id = try #require(try identity(#"{"username":"kim","email":"K@b.c"}"#)?.id)
        #expect(!id.contains("@"))
        #expect(id.hasPrefix("demo:s"))
        #expect(try identity(#"{"username":"li","email":"k@B.C"}"#, session: "s")?.id == id)
        #expect(try identity(#"{"username":"kim","email":"x@b.c"}"#)?.id != id)
        let elsewhere = SSOVerifier(tenant: "other", keys: [], allowsSimple: true, now: 0)
        let other = try elsewhere.verify(#"{"username":"kim","email":"K@b.c"}"#, session: nil)
        #expect(other?.id.dropFirst(6) != id.dropFirst(5))
    }

    @Test func `people with a name only are told apart by their session`() throws {
        let name = #"{"username":"kim"}"#
        let first = try identity(name, session: "a")?.id
        #expect(try identity(name, session: "a")?.id == first)
        #expect(try identity(name, session: "b")?.id != first)
        #expect(try identity(#"{"username":"li"}"#, session: "a")?.id != first)
    }

    @Test func `the display name stands in for the username`() throws {
        let identity = try #require(try identity(#"{"email":"a@b.c","displayName":"Kim"}"#))
        #expect(identity.changes.username == "Kim")
        #expect(try self.identity(#"{"email":"a@b.c"}"#)?.changes.username == "")
    }

    @Test func `unsigned data confer nothing`() throws {
        let text = #"{"id":"1","username":"kim","isAdmin":true,"isModerator":true,"groupIds":["g"]}"#
        var person = Person(id: "demo:1", username: "kim", isSimple: true)
        person.apply(try #require(try identity(text)).changes, isSimple: true)
        #expect(!person.isAdmin && !person.isModerator && !person.isStaff)
        #expect(person.groupIDs == nil)
    }

    @Test func `avatarSrc is an old name of avatar`() throws {
        let old = #"{"id":"1","avatarSrc":"https://h/a.png"}"#
        #expect(try identity(old)?.changes.avatar.applied(to: nil) == "https://h/a.png")
        let both = #"{"id":"1","avatarSrc":"https://h/a.png","avatar":"https://h/b.png"}"#
        #expect(try identity(both)?.changes.avatar.applied(to: nil) == "https://h/b.png")
    }

    @Test func `a site may want signed data only`() {
        let error = Signing.refusal(#"{"id":"1"}"#, Signing.verifier(allowsSimple: false))
        #expect(error?.status == 401)
        #expect(error?.code == "malformed-sso")
        #expect(Signing.refusal(Signing.sso(), Signing.verifier(allowsSimple: false)) == nil)
    }

    @Test func `simple data are checked like signed ones`() {
        #expect(Signing.refusal(#"{"username":"kim","email":"nonsense"}"#)?.code == "invalid-email")
        #expect(Signing.refusal(#"{"id":"1","username":"a@b.c"}"#)?.code == "malformed-sso")
    }
}

import Bytes
import Domain
import Testing

@Suite struct PresenceTokenTests {
    private let tokens = PresenceToken(secret: [UInt8](repeating: 7, count: 32))

    @Test(arguments: ["demo:1", "anon:0123", "demo:é😀", "demo:" + String(repeating: "x", count: 1000), ""])
    func `an identity comes back from its token`(identity: String) {
        let token = tokens.mint(tenant: "demo", identity: identity)
        #expect(token == tokens.mint(tenant: "demo", identity: identity))
        #expect(tokens.identity(of: token, tenant: "demo") == identity)
        #expect(PercentEncoding.encodeComponent(token) == token)
    }

    @Test func `a token proves nothing to another tenant or server`() {
        let token = tokens.mint(tenant: "demo", identity: "demo:1")
        #expect(tokens.identity(of: token, tenant: "demo2") == nil)
        #expect(PresenceToken(secret: [UInt8](repeating: 8, count: 32)).identity(of: token, tenant: "demo") == nil)
        let shifted = tokens.mint(tenant: "ab", identity: "c")
        #expect(tokens.identity(of: shifted, tenant: "a") == nil)
        #expect(shifted != tokens.mint(tenant: "a", identity: "bc"))
    }

    @Test func `no other token proves anything`() {
        let token = tokens.mint(tenant: "demo", identity: "demo:1")
        let proof = token.split(separator: ".")[1]
        let forged = Base64.encodeURL(Array("demo:2".utf8)) + "." + proof
        for other in [
            "", ".", "conctest", "swift-test-1", "a.b", token + "A", token + ".", String(token.dropLast()), forged,
            "." + proof, "\(token) ",
        ] {
            #expect(tokens.identity(of: other, tenant: "demo") == nil)
        }
    }

    @Test func `a stranger gets a new identity each time`() throws {
        let names = try (0..<50).map { _ in
            try #require(tokens.identity(of: tokens.mintForStranger(tenant: "demo"), tenant: "demo"))
        }
        #expect(Set(names).count == 50)
        #expect(names.allSatisfy { $0.hasPrefix("anon:") })
    }
}

import Domain
import Testing

@Suite struct IdentifierTests {
    @Test func `ids made later sort later`() {
        let ids = [0, 1, 255, 256, 1_700_000_000_000, 1_700_000_000_001, (1 << 48) - 1].map(Identifier.timeOrdered)
        #expect(ids == ids.sorted())
        #expect(ids[4].prefix(12) == "018bcfe56800")
        #expect(
            ids.allSatisfy {
                $0.count == 24 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            })
    }

    @Test func `no two ids or secrets are the same`() {
        #expect(Set((0..<1000).map { _ in Identifier.timeOrdered(at: 5) }).count == 1000)
        #expect(Set((0..<100).map { _ in Identifier.secret() }).count == 100)
    }

    @Test func `secrets, keys and guests have their forms`() {
        let secret = Identifier.secret()
        #expect(secret.utf8.count == 32)
        #expect(secret.utf8.allSatisfy { Identifier.isTenantID(String(UnicodeScalar($0))) })
        let key = Identifier.apiKey()
        #expect(key.utf8.count == 32)
        #expect(key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        let guest = Identifier.guest()
        #expect(guest.hasPrefix("anon:"))
        #expect(guest.utf8.count == 29)
    }

    @Test func `a secret is kept as its SHA-256`() {
        #expect(
            Identifier.hash(ofSecret: "abc")
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `tenant ids have 1 to 64 plain characters`() {
        #expect(Identifier.isTenantID("a"))
        #expect(Identifier.isTenantID("aZ09-_"))
        #expect(Identifier.isTenantID(String(repeating: "a", count: 64)))
        #expect(!Identifier.isTenantID(String(repeating: "a", count: 65)))
        for id in ["", "a b", "a:b", "é", "a/b", "a.b", "a%", "a\n"] { #expect(!Identifier.isTenantID(id)) }
    }
}

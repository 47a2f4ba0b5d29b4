import Domain
import Testing

@Suite struct AnonymousIdentityTests {
    let strangers = AnonymousIdentity(secret: Array(repeating: 7, count: 32))

    private func derived(_ tenant: String = "t", _ address: String = "192.0.2.1", _ agent: String = "Agent") -> String {
        strangers.derived(tenant: tenant, address: address, agent: agent)
    }

    @Test func theSameAddressAndProgramAreTheSameVisitor() {
        #expect(derived() == derived())
        let others = [
            derived("u"), derived("t", "192.0.2.2"), derived("t", "192.0.2.1", ""), derived("t1", "92.0.2.1"),
            AnonymousIdentity(secret: Array(repeating: 8, count: 32)).derived(
                tenant: "t", address: "192.0.2.1", agent: "Agent"),
        ]
        #expect(Set(others + [derived()]).count == 6)
    }

    @Test func anIdentityLooksLikeThatOfAGuestAndHidesTheAddress() {
        #expect(derived().hasPrefix("anon:") && derived().count == 29)
        #expect(derived().dropFirst(5).allSatisfy { $0.isHexDigit })
    }

    @Test func aTokenProvesItsIdentity() {
        let token = strangers.token(for: derived(), tenant: "t")
        #expect(strangers.identity(of: token, tenant: "t") == derived())
        #expect(strangers.identity(of: token, tenant: "u") == nil)
    }

    @Test func aTokenThatWasNotMadeHereProvesNothing() {
        let token = strangers.token(for: derived(), tenant: "t")
        let other = strangers.token(for: derived("t", "192.0.2.9"), tenant: "t")
        let mixed = String(token.prefix { $0 != "." }) + other.drop { $0 != "." }
        for forged in ["", ".", "a.b", token + "0", String(token.dropLast()), token + ".", mixed, "x" + token] {
            #expect(strangers.identity(of: forged, tenant: "t") == nil, "\(forged)")
        }
    }
}

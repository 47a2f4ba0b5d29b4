import Glibc
import Testing

@testable import Reactor

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", AF_INET, "127.0.0.1"), ("::1", AF_INET6, "::1"), ("2001:db8::1:0", AF_INET6, "2001:db8::1:0"),
        ("::ffff:192.0.2.7", AF_INET6, "192.0.2.7"),
    ])
    func addressesAreShownInTheirShortestForm(_ text: String, _ family: Int32, _ shown: String) throws {
        let address = try #require(SocketAddress(host: text, port: 54321))
        #expect(address.family == family)
        #expect(address.host == shown)
        #expect(address.port == 54321)
    }

    @Test func whatIsNoAddressIsRefused() {
        #expect(SocketAddress(host: "256.1.1.1.1 ", port: 1) == nil)
    }

    @Test func errorsNameTheCallAndTheReason() {
        let error = SystemCallError(call: "bind", number: EADDRINUSE)
        #expect(error.description == "bind: Address already in use")
    }
}

import Domain
import Testing

/// What limits take for one client.
@Suite struct ClientAddressTests {
    @Test(
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"), ("2001:db8:1:2::", "2001:DB8:1:2:0:0:0:9"),
            ("fe80::1%eth0", "fe80::2"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::ffff:c000:207", "192.0.2.7"),
            ("64:ff9b::192.0.2.7", "64:ff9b::"), ("1:2:3:4:5:6:7:8", "1:2:3:4::"),
        ])
    func addressesOfOneClientAreOne(_ first: String, _ second: String) {
        #expect(ClientAddress(first) == ClientAddress(second))
    }

    @Test(
        arguments: [
            ("2001:db8:1:2::", "2001:db8:1:3::"), ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::"),
            ("192.0.2.7", "192.0.2.8"), ("::1", "::2"), ("::ffff:192.0.2.7", "::ffff:192.0.2.8"),
        ])
    func othersAreNot(_ first: String, _ second: String) {
        #expect(ClientAddress(first) != ClientAddress(second))
    }

    @Test func thisMachineIsKnown() {
        for text in ["127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"] {
            #expect(ClientAddress(text).isLoopback, "\(text)")
        }
        for text in ["127.0.0.2", "::2", "::", "1::1", "localhost"] {
            #expect(!ClientAddress(text).isLoopback, "\(text)")
        }
    }

    @Test(
        arguments: [
            "", ":", ":::", ":::::", "[::1", "[::1]", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::",
            "1:2:3:4:5:6:7::8", "1.2.3", "1.2.3.256", "1.2.3.4.5", "1..2.3", "::1.2.3", "+1::", "::+1", "1:2",
            "example",
            ":1:2:3:4:5:6:7", "1.2.3.4:80",
        ])
    func whatIsNoAddressStandsForItself(_ text: String) {
        #expect(!ClientAddress.isNumeric(text) && ClientAddress(text).key == text)
    }
}

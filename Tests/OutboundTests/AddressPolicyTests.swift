import Outbound
import Reactor
import Testing

@Suite struct AddressPolicyTests {
    private static func isPublic(_ text: String) throws -> Bool {
        let address = try #require(SocketAddress.all(host: text, port: 80, isNumeric: true).first, "\(text)")
        return AddressPolicy.isPublic(address)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:8.8.8.8",
        "::ffff:127.0.0.1", "::8.8.8.8", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fdff::1", "ff02::1", "2001::1",
        "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::", "3fff::1", "3fff:fff::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "100::1", "4000::1", "1fff::1",
    ])
    func addressesThatAreNotPublicAreKnown(_ text: String) throws {
        #expect(try !Self.isPublic(text))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2001:200::1",
        "2001:4860:4860::8888", "2003::1", "2a00::1", "3ffe::1", "3fff:1000::1", "64:ff9b::808:808",
    ])
    func publicAddressesAreKnown(_ text: String) throws {
        #expect(try Self.isPublic(text))
    }

    @Test func theOperatorNamesHostsAndPorts() throws {
        let policy = AddressPolicy(allowedHosts: ["hooks.internal", "127.0.0.1:9000", "[::1]"])
        for (text, isAllowed) in [
            ("http://hooks.internal/", true), ("https://HOOKS.internal:99/", true), ("http://127.0.0.1:9000/", true),
            ("http://127.0.0.1:9001/", false), ("http://127.0.0.1/", false), ("http://[::1]:5/", true),
            ("http://x.hooks.internal/", false), ("http://hooks.internal./", false),
        ] {
            #expect(try policy.allows(#require(OutboundURL(text))) == isAllowed, "\(text)")
        }
    }
}

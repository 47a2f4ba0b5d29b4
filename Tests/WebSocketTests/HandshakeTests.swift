import Testing
import WebSocket

@Suite struct HandshakeTests {
    static let sample = "dGhlIHNhbXBsZSBub25jZQ=="

    func status(
        method: String = "GET", minorVersion: Int = 1, versions: [String] = ["13"], keys: [String] = [sample]
    ) -> Int {
        do throws(Handshake.Refusal) {
            _ = try Handshake.acceptSource(method: method, minorVersion: minorVersion, versions: versions, keys: keys)
            return 101
        } catch {
            return error.status
        }
    }

    @Test func aGoodRequestYieldsWhatIsToBeHashed() throws {
        let source = try Handshake.acceptSource(method: "GET", minorVersion: 1, versions: ["13"], keys: [Self.sample])
        #expect(source == utf8("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
    }

    @Test func aSocketStartsWithGetInTheNewVersion() {
        #expect(status() == 101)
        #expect(status(method: "POST") == 400)
        #expect(status(method: "HEAD") == 400)
        #expect(status(minorVersion: 0) == 400)
    }

    @Test(arguments: [[], ["8"], ["13", "13"], ["13, 8"], ["013"]])
    func otherVersionsAreTold(_ versions: [String]) {
        #expect(status(versions: versions) == 426)
    }

    @Test(arguments: [
        [], [""], [sample, sample], ["dGhlIHNhbXBsZSBub25jZQ"], ["dGhlIHNhbXBsZSBub25j"],
        ["dGhlIHNhbXBsZSBub25jZSE="], ["not base 64 of 16 bytes!"],
    ])
    func aKeyMustBeSixteenBytes(_ keys: [String]) {
        #expect(status(keys: keys) == 400)
    }
}

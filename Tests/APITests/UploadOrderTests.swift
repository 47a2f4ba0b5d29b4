import Images
import JSON
import TestSupport
import Testing

/// How clients share the decoder and the places for uploads (contract: public 16).
@Suite(.serialized) struct UploadOrderTests {
    /// Takes the decoder a second or more.
    private static let slow = TestImage.gif(170, 170, frames: 300)

    private static func own() throws -> UploadSite {
        try UploadSite(on: .own(["PARLEY_TRUSTED_PROXIES": "127.0.0.1"]))
    }

    private static func head(_ site: UploadSite, _ address: String, length: Int) -> String {
        "POST /upload-image/\(site.site.tenant.id) HTTP/1.1\r\nhost: x\r\nx-forwarded-for: \(address)\r\n"
            + "content-type: \(Form.contentType)\r\ncontent-length: \(length)\r\n\r\n"
    }

    /// Sends an upload without waiting for its answer.
    private static func begin(_ site: UploadSite, _ image: [UInt8], from address: String) throws -> RawConnection {
        let connection = try RawConnection(port: site.server.process.port)
        let body = Form(image).body
        try connection.send(head(site, address, length: body.count))
        try connection.send(body)
        return connection
    }

    @Test func addressesTakeTurns() throws {
        let site = try Self.own()
        let busy = try (0..<4).map { _ in try Self.begin(site, Self.slow, from: "198.51.100.1") }
        _ = try site.uploaded("picture.png", headers: [("x-forwarded-for", "198.51.100.2")])
        // Of the four before it, all but the one or two whose turn it was still wait.
        #expect(try site.names().count <= 3)
        for connection in busy { connection.close() }
    }

    @Test func whatNobodyWaitsForIsNotDecoded() throws {
        let site = try Self.own()
        for _ in 0..<6 { try Self.begin(site, Self.slow, from: "198.51.100.1").close() }
        try Self.begin(site, TestImage.file("picture.png"), from: "198.51.100.1").close()
        _ = try site.uploaded("picture.png", headers: [("x-forwarded-for", "198.51.100.1")])
        #expect(try site.names().count == 1 && site.files() == site.names())
    }

    @Test func aServerThatStopsRefusesWhatWaits() throws {
        let site = try Self.own()
        let first = try Self.begin(site, Self.slow, from: "198.51.100.1")
        let waiting = try (2...5).map { try Self.begin(site, Self.slow, from: "198.51.100.\($0)") }
        #expect(try site.server.process.terminate() == .status(0))
        let answers = try waiting.map { try $0.readAnswer() }
        // The turn of one or two may have come before the end did.
        let refused = answers.filter { $0.status != 200 }
        #expect(!refused.isEmpty)
        for answer in refused {
            #expect(answer.status == 503 && answer.code == "unavailable" && answer.header("retry-after") != nil)
        }
        first.close()
        #expect(try site.files() == site.names() && site.names().count <= 1 + answers.count - refused.count)
    }

    @Test func fiftyUploadsAtOnceAreTaken() throws {
        let site = try Self.own()
        let image = try TestImage.file("picture.png")
        let connections = try (0..<50).map { try Self.begin(site, image, from: "198.51.100.\(1 + $0 / 8)") }
        for connection in connections { #expect(try connection.readAnswer().status == 200) }
        #expect(try site.names().count == 50 && site.files() == site.names())
    }

    @Test func slowSendersMakeRoomForOthers() throws {
        let site = try Self.own()
        let slow = try (0..<64).map { number in
            let connection = try RawConnection(port: site.server.process.port)
            try connection.send(Self.head(site, "2001:db8:0:\(number / 8)::\(number)", length: 1_000_000) + "x")
            return connection
        }
        let image = try TestImage.file("picture.png")
        let deadline = Deadline.usual
        var answer = try site.upload(image, headers: [("x-forwarded-for", "198.51.100.1")])
        while answer.status == 503, deadline.milliseconds > 0 {
            answer = try site.upload(image, headers: [("x-forwarded-for", "198.51.100.1")])
        }
        #expect(answer.isSuccess)
        for connection in slow { connection.close() }
    }

    @Test func aNetworkHasEightUploadsAtOnce() throws {
        let site = try Self.own()
        let begin = { (address: String) throws -> RawConnection in
            let connection = try RawConnection(port: site.server.process.port)
            let head = Self.head(site, address, length: 1_000_000).dropLast()
            try connection.send(head + "expect: 100-continue\r\n\r\n")
            return connection
        }
        let open = try (1...8).map { try begin("2001:db8:0:1::\($0)") }
        for connection in open { #expect(try connection.readAnswer().status == 100) }
        #expect(try begin("2001:db8:0:1:ffff:ffff:ffff:ffff").readAnswer().status == 503)
        #expect(try begin("2001:db8:0:2::1").readAnswer().status == 100)
    }

    @Test func aNetworkUploadsTwentyTimesAMinute() throws {
        let site = try UploadSite(isExempt: false, on: .own(["PARLEY_TRUSTED_PROXIES": "127.0.0.1"]))
        let from = { (address: String) in [("x-forwarded-for", address)] }
        for number in 1...20 {
            _ = try site.uploaded("picture.png", headers: from("2001:db8:0:1::\(String(number, radix: 16))"))
        }
        let image = try TestImage.file("picture.png")
        #expect(try site.upload(image, headers: from("2001:db8:0:1:ffff::")).code == "rate-limited")
        _ = try site.uploaded("picture.png", headers: from("2001:db8:0:2::1"))
    }

    @Test func anAddressUploadsSoManyPixelsAMinute() throws {
        let site = try UploadSite(isExempt: false, on: .own(["PARLEY_TRUSTED_PROXIES": "127.0.0.1"]))
        let from = { (address: String) in [("x-forwarded-for", address)] }
        // Without picture, they cost the sender and not the test.
        for width in [10_000, 10_000, 10_000, 10_000, 9_800] as [UInt32] {
            let image = TestImage.pngHeader(width, 5000)
            try site.refuses(422, "invalid-image") { try site.upload(image, headers: from("198.51.100.1")) }
        }
        _ = try site.uploaded("picture.png", headers: from("198.51.100.1"))
        try site.refuses(429, "rate-limited") {
            try site.upload(TestImage.file("picture.png"), headers: from("198.51.100.1"))
        }
        _ = try site.uploaded("picture.png", headers: from("198.51.100.2"))
        _ = try site.uploaded("picture.png", ["sso": site.site.token(.author)], headers: from("198.51.100.1"))
    }

    @Test(arguments: [":::::", "[::1", "[::1]x", "a:b", "a:99999", "a b", "::1", "[1.2.3.4]", "a:"])
    func whatIsNoHostGetsIntoNoAddress(_ host: String) throws {
        let site = try UploadSite(on: .proxied())
        let odd = try site.uploaded("picture.png", headers: [("x-forwarded-host", host)])
        #expect(odd["url"]?.string?.hasPrefix("http://127.0.0.1:\(site.server.process.port)/uploads/") == true)
    }

    @Test(arguments: ["[2001:db8::1]", "[::1]:8080", "example.com:1", "192.0.2.1:65535"])
    func whatIsAHostDoes(_ host: String) throws {
        let site = try UploadSite(on: .proxied())
        let answer = try site.uploaded("picture.png", headers: [("x-forwarded-host", host)])
        #expect(answer["url"]?.string?.hasPrefix("http://\(host)/uploads/") == true)
    }
}

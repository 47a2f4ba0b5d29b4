import JSON
import TestSupport
import Testing

/// How files are served (RFC 9110, sections 13 and 14).
@Suite struct ServeUploadTests {
    private struct File {
        let site: UploadSite
        let address: String
        let bytes: [UInt8]

        init() throws {
            site = try UploadSite(on: .shared())
            address = try #require(site.uploaded("photo.jpg", ["sizePreset": "CrossPlatform"])["url"]?.string)
            bytes = try site.fetch(address).body
        }

        func get(_ headers: [(String, String)], _ method: String = "GET") throws -> Answer {
            try site.fetch(address, method, headers: headers)
        }
    }

    @Test func aFileMayBeKeptForeverAndRunsNothing() throws {
        let file = try File()
        let answer = try file.get([("origin", "https://site.example")])
        #expect(answer.status == 200 && answer.header("content-type") == "image/jpeg")
        #expect(answer.header("cache-control") == "public, max-age=31536000, immutable")
        #expect(answer.header("x-content-type-options") == "nosniff")
        #expect(answer.header("content-security-policy") == "sandbox; default-src 'none'")
        #expect(answer.header("cross-origin-resource-policy") == "cross-origin")
        #expect(answer.header("content-length") == String(file.bytes.count) && answer.header("etag") != nil)
        #expect(answer.header("accept-ranges") == "bytes" && answer.header("set-cookie") == nil)
    }

    @Test func aHeadHasTheHeadersOnly() throws {
        let file = try File()
        let answer = try file.get([("range", "bytes=0-1")], "HEAD")
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.header("content-length") == String(file.bytes.count))
    }

    @Test func rangesAreServed() throws {
        let file = try File()
        let count = file.bytes.count
        let ranges: [(String, Range<Int>)] = [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=-5", (count - 5)..<count), ("bytes=5-", 5..<count),
            ("bytes=0-99999999999999999999", 0..<count), ("BYTES= 3 - 4 ", 3..<5), ("bytes=-99999999999", 0..<count),
            ("bytes=\(count - 1)-\(count - 1)", (count - 1)..<count),
        ]
        for (field, range) in ranges {
            let answer = try file.get([("range", field)])
            #expect(answer.status == 206 && answer.body == Array(file.bytes[range]), "\(field)")
            #expect(answer.header("content-range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
        }
    }

    @Test func rangesOutsideAreRefused() throws {
        let file = try File()
        let count = file.bytes.count
        for field in ["bytes=\(count)-", "bytes=99999999999999999999-", "bytes=-0"] {
            let answer = try file.get([("range", field)])
            #expect(answer.status == 416 && answer.code == "range-not-satisfiable", "\(field)")
            #expect(answer.header("content-range") == "bytes */\(count)")
        }
    }

    @Test(arguments: ["bytes=5-2", "bytes=-", "bytes=a-b", "lines=0-1", "bytes=0-1,3-4", "bytes", "bytes=--1", "=0-1"])
    func otherRangesAreIgnored(_ field: String) throws {
        let file = try File()
        let answer = try file.get([("range", field)])
        #expect(answer.status == 200 && answer.body == file.bytes)
    }

    @Test func whatIsKnownIsNotSentAgain() throws {
        let file = try File()
        let tag = try #require(file.get([]).header("etag"))
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let answer = try file.get([("if-none-match", known), ("range", "bytes=0-1")])
            #expect(answer.status == 304 && answer.body.isEmpty && answer.header("etag") == tag, "\(known)")
        }
        #expect(try file.get([("if-none-match", "\"x\"")]).status == 200)
        #expect(try file.get([("if-range", tag), ("range", "bytes=0-1")]).status == 206)
        #expect(try file.get([("if-range", "\"x\""), ("range", "bytes=0-1")]).status == 200)
    }

    @Test(
        arguments: [
            "x.jpg", "..%2Fparley.db", "%2e%2e", "..", ".", "", "a/b", "%00", "parley.db", "x.jpg.draft", "%FF",
        ])
    func thereIsNothingElse(_ name: String) throws {
        let client = try SeededServer.shared().client()
        let answer = try client.send("GET", "/uploads/\(name)", headers: [], body: nil)
        #expect(answer.status == (name == "%FF" ? 400 : 404) && answer.code != nil)
    }

    @Test func filesShareAConnection() throws {
        let file = try File()
        let client = try file.site.site.client()
        for _ in 0..<3 {
            let path = "/uploads/" + (file.address.split(separator: "/").last ?? "")
            #expect(try client.send("GET", path, headers: [], body: nil).body == file.bytes)
        }
    }
}

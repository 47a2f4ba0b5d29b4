import Compression
import JSON
import TestSupport
import Testing

/// Pages of comments for clients that take gzip.
@Suite struct PackedAnswerTests {
    private let scene: Scene
    private let ann: Reader
    private let client: HTTPClient

    init() throws {
        scene = try Scene()
        ann = try scene.reader(.ann)
        client = try scene.server.client()
        client.checksContract = false
        for number in 0..<5 { _ = try ann.posted("Number \(number), with a few words more than the others have") }
    }

    private func read(_ coding: String?, sso: String? = nil) throws -> Answer {
        let headers = coding.map { [("accept-encoding", $0)] } ?? []
        return try client.request(
            "GET", "/comments/\(scene.tenant.id)", ["urlId": scene.page, "sso": sso], headers: headers)
    }

    /// The answer that was packed.
    private func unpacked(_ answer: Answer) throws -> JSONValue {
        try #require(answer.header("content-encoding") == "gzip")
        return try JSONValue.parse(try #require(Gzip.plain(answer.body, limit: 1 << 20)))
    }

    @Test func whatIsReadAgainIsPackedAndTheSame() throws {
        let plain = try read(nil)
        #expect(plain.header("vary") == "Origin, Accept-Encoding")
        let answers = try (0..<3).map { _ in try read("br, gzip;q=0.8") }
        let packed = try #require(answers.last)
        #expect(packed.body.count < plain.body.count / 2)
        #expect(packed.header("vary") == "Origin, Accept-Encoding")
        #expect(packed.header("content-length") == "\(packed.body.count)")
        let value = try unpacked(packed)
        #expect(value["comments"]?.array?.count == 5)
        #expect(value["comments"] == plain["comments"])
        #expect(value["commentCount"] == plain["commentCount"])
        #expect(value["userIdWS"] != nil)
    }

    @Test func nobodyGetsWhatTheyDoNotTake() throws {
        for _ in 0..<3 { _ = try read("gzip") }
        for coding in [nil, "", "br", "identity", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzipped"] {
            #expect(try read(coding).header("content-encoding") == nil, "\(coding ?? "none")")
        }
        for coding in ["gzip", "GZIP", "x-gzip", "deflate, gzip", "*", "gzip;q=0.1"] {
            #expect(try read(coding).header("content-encoding") == "gzip", "\(coding)")
        }
    }

    @Test func aChangeIsInTheNextAnswer() throws {
        for _ in 0..<3 { _ = try read("gzip") }
        let id = try ann.posted("One more")
        for _ in 0..<4 {
            let answer = try read("gzip")
            let value = try answer.header("content-encoding") == nil ? answer.json : unpacked(answer)
            #expect(value?["comments"]?.array?.contains { $0.id == id } == true)
        }
    }

    @Test func whoseMarksAreInItGetsThem() throws {
        let bob = try scene.reader(.bob)
        let id = try #require(try bob.list().first?.id)
        _ = try bob.voted(id)
        for _ in 0..<3 {
            let answer = try read("gzip", sso: bob.sso)
            #expect(answer.header("content-encoding") == nil)
            #expect(answer["comments"]?.array?.first { $0.id == id }?["isVotedUp"] == true)
        }
    }
}

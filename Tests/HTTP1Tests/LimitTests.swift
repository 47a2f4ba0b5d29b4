import HTTP1
import Testing

/// Every limit at its number and one past it.
@Suite struct LimitTests {
    static func padding(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func theHead() throws {
        var limits = Limits()
        limits.headBytes = 60
        let frame = request("X: ", line: "GET / HTTP/1.1").utf8.count
        let whole = request("X: " + Self.padding(60 - frame), line: "GET / HTTP/1.1")
        let fits = try #require(transcript(whole, limits: limits))
        #expect(fits.failure == nil)
        #expect(fits.messages.count == 1)
        let text = request("X: " + Self.padding(61 - frame), line: "GET / HTTP/1.1")
        let exceeds = try #require(transcript(text, limits: limits))
        #expect(exceeds.failure == .headTooLarge)
        #expect(exceeds.failure?.status == 431)
    }

    @Test func theHeadWithoutAnyLineEndIsATargetTooLong() throws {
        var limits = Limits()
        limits.headBytes = 60
        let seen = try #require(transcript("GET /" + Self.padding(100), limits: limits))
        #expect(seen.failure == .targetTooLong)
    }

    @Test func theTarget() throws {
        var limits = Limits()
        limits.targetBytes = 20
        let fits = transcript(request(line: "GET /\(Self.padding(19)) HTTP/1.1"), limits: limits)
        #expect(fits?.failure == nil)
        let exceeds = try #require(transcript(request(line: "GET /\(Self.padding(20)) HTTP/1.1"), limits: limits))
        #expect(exceeds.failure == .targetTooLong)
        #expect(exceeds.failure?.status == 414)
    }

    @Test func theUsualTargetLimitLeavesRoomForALongQuery() {
        let query = Self.padding(80 * 1024 - 2)
        let fits = Transcript([[UInt8](request(line: "GET /?\(query) HTTP/1.1").utf8)[...]])
        #expect(fits.messages.first?.rawQuery == query)
        let exceeds = Transcript([[UInt8](request(line: "GET /?\(query)x HTTP/1.1").utf8)[...]])
        #expect(exceeds.failure == .targetTooLong)
    }

    @Test func theNumberOfHeaders() throws {
        var limits = Limits()
        limits.headerCount = 4
        #expect(transcript(request("A: 1", "B: 2", "C: 3"), limits: limits)?.failure == nil)
        let exceeds = try #require(transcript(request("A: 1", "B: 2", "C: 3", "D: 4"), limits: limits))
        #expect(exceeds.failure == .tooManyHeaders)
        #expect(exceeds.failure?.status == 431)
    }

    @Test func aDeclaredBody() throws {
        #expect(transcript(request("Content-Length: 5", body: "abcde"), bodyLimit: 5)?.failure == nil)
        let exceeds = try #require(transcript(request("Content-Length: 6", body: "abcdef"), bodyLimit: 5))
        #expect(exceeds.failure == .bodyTooLarge)
        #expect(exceeds.failure?.status == 413)
        #expect(exceeds.messages.map(\.body) == [""], "it fails before any of the body")
    }

    @Test func chunksTogether() throws {
        let line = "Transfer-Encoding: chunked"
        let fits = transcript(request(line, body: "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), bodyLimit: 5)
        #expect(fits?.failure == nil)
        #expect(fits?.messages.map(\.body) == ["abcde"])
        let exceeds = transcript(request(line, body: "3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"), bodyLimit: 5)
        #expect(exceeds?.failure == .bodyTooLarge)
    }

    @Test func theBodyLimitHoldsForOneRequestOnly() {
        var limits = Limits()
        limits.bodyBytes = 3
        let input = [UInt8]((request("Content-Length: 4", body: "abcd") + request("Content-Length: 4")).utf8)
        var parser = RequestParser(limits: limits)
        var position = 0
        var heads = 0
        while true {
            switch parser.next(input.span, &position) {
            case .head:
                heads += 1
                if heads == 1 { parser.setBodyLimit(4) }
            case .body, .end: continue
            case .needMore:
                Issue.record("the second body was accepted")
                return
            case .failure(let failure):
                #expect(failure == .bodyTooLarge)
                #expect(heads == 2)
                return
            }
        }
    }

    @Test func chunkExtensionsOfOneBodyTogether() throws {
        var limits = Limits()
        limits.chunkExtensionBytes = 8
        let line = "Transfer-Encoding: chunked"
        #expect(transcript(request(line, body: "1;abc\r\nx\r\n0;abc\r\n\r\n"), limits: limits)?.failure == nil)
        let exceeds = transcript(request(line, body: "1;abc\r\nx\r\n0;abcd\r\n\r\n"), limits: limits)
        #expect(exceeds?.failure == .malformedChunk)
    }

    @Test func trailers() throws {
        var limits = Limits()
        limits.trailerBytes = 20
        let line = "Transfer-Encoding: chunked"
        let fits = transcript(request(line, body: "0\r\nX: \(Self.padding(13))\r\n\r\n"), limits: limits)
        #expect(fits?.failure == nil)
        #expect(fits?.messages.first?.isComplete == true)
        let exceeds = try #require(
            transcript(request(line, body: "0\r\nX: \(Self.padding(14))\r\n\r\n"), limits: limits))
        #expect(exceeds.failure == .trailersTooLarge)
        #expect(exceeds.failure?.status == 431)
    }
}

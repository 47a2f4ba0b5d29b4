import HTTP1
import Testing

@Suite struct BodyTests {
    @Test func aDeclaredLengthDelimitsTheBody() throws {
        let seen = try #require(transcript(request("Content-Length: 5", body: "abcde")))
        #expect(seen.messages.map(\.body) == ["abcde"])
        #expect(seen.messages[0].framing == .length(5))
        #expect(seen.messages[0].isComplete)
    }

    @Test func anUnfinishedBodyIsNotComplete() throws {
        let seen = try #require(transcript(request("Content-Length: 5", body: "abcd")))
        #expect(seen.messages.map(\.isComplete) == [false])
        #expect(seen.failure == nil)
    }

    @Test func aLengthOfZeroIsNoBody() throws {
        let seen = try #require(transcript(request("Content-Length: 0")))
        #expect(seen.messages[0].framing == .none)
        #expect(seen.messages[0].isComplete)
    }

    @Test func chunksAreJoined() throws {
        let body = "3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n0\r\nT: v\r\n\r\n"
        let seen = try #require(transcript(request("Transfer-Encoding: Chunked", body: body)))
        #expect(seen.failure == nil)
        #expect(seen.messages.map(\.body) == ["abc0123456789"])
        #expect(seen.messages[0].isComplete)
        #expect(seen.messages[0].headers.count == 2, "trailers are dropped")
    }

    @Test(arguments: [
        "g\r\n", "\r\n", ";a\r\n", "-1\r\n", "+1\r\nx\r\n", "0x1\r\nx\r\n", " 1\r\nx\r\n", "1 \r\nx\r\n", "1\nx\r\n",
        "1\r\nxy\r\n", "1\r\nx\n", "1\r\nx\rz", "00000000000000001\r\nx\r\n", "10000000000000000\r\n",
        "8000000000000000\r\n", "1;a\u{01}\r\n", "1;a\n", "1\rx", "1\t\r\n",
    ])
    func malformedChunksAreRefused(_ body: String) throws {
        let seen = try #require(transcript(request("Transfer-Encoding: chunked", body: body)))
        #expect(seen.failure == .malformedChunk)
        #expect(seen.failure?.status == 400)
    }

    @Test func hugeChunksAreRefusedBeforeTheirDataArrives() throws {
        let seen = try #require(transcript(request("Transfer-Encoding: chunked", body: "7fffffffffffffff\r\n")))
        #expect(seen.failure == .bodyTooLarge)
        let padded = transcript(request("Transfer-Encoding: chunked", body: "0800000000000000\r\n"))
        #expect(padded?.failure == .bodyTooLarge)
    }

    @Test(arguments: [
        ("0\r\nbad\r\n\r\n", ParseFailure.malformedTrailer), ("0\r\nX : y\r\n\r\n", .malformedTrailer),
        ("0\r\n X: y\r\n\r\n", .malformedTrailer), ("0\r\nX: y\n\r\n", .bareLineFeed),
        ("0\r\nX: \u{01}\r\n\r\n", .controlByte),
        ("0\r\n\rX", .bareCarriageReturn),
    ])
    func malformedTrailersAreRefused(_ body: String, _ failure: ParseFailure) throws {
        let seen = try #require(transcript(request("Transfer-Encoding: chunked", body: body)))
        #expect(seen.failure == failure)
    }

    @Test func pipelinedRequestsComeOutInOrder() throws {
        let text =
            request("Content-Length: 3", line: "POST /1 HTTP/1.1", body: "one")
            + request("Transfer-Encoding: chunked", line: "PUT /2 HTTP/1.1", body: "3\r\ntwo\r\n0\r\n\r\n")
            + "\r\n" + request(line: "GET /3 HTTP/1.1") + request(line: "GET /4 HTTP/1.1")
        let seen = try #require(transcript(text))
        #expect(seen.failure == nil)
        #expect(seen.messages.map(\.target) == ["/1", "/2", "/3", "/4"])
        #expect(seen.messages.map(\.body) == ["one", "two", "", ""])
        #expect(seen.messages.map(\.isComplete) == [true, true, true, true])
    }

    @Test func theNextRequestIsLeftInTheInput() {
        let first = [UInt8](request("Content-Length: 2", body: "ab").utf8)
        let input = first + [UInt8]("GET".utf8)
        var parser = RequestParser()
        var position = 0
        reading: while true {
            switch parser.next(input.span, &position) {
            case .end: break reading
            case .head, .body: continue
            case .needMore, .failure:
                Issue.record("no end")
                return
            }
        }
        #expect(position == first.count)
        #expect(parser.isBetweenRequests)
    }

    @Test func theParserKnowsWhenNothingHasArrived() {
        var parser = RequestParser()
        #expect(parser.isBetweenRequests)
        var position = 0
        _ = parser.next([UInt8]("\r\n".utf8).span, &position)
        #expect(parser.isBetweenRequests)
        position = 0
        _ = parser.next([UInt8]("G".utf8).span, &position)
        #expect(!parser.isBetweenRequests)
    }
}

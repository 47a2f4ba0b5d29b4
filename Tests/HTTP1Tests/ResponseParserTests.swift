import HTTP1
import Testing

/// What a caller would have seen of one answer.
struct AnswerTranscript: Equatable {
    var status: Int?
    var headers: [String] = []
    var framing: ReceivedHead.Framing?
    var body = ""
    var isComplete = false
    var failure: ParseFailure?

    /// - Parameter ends: whether the connection ends after the pieces.
    init(_ pieces: [ArraySlice<UInt8>], to method: Method, limits: Limits, ends: Bool) {
        var parser = ResponseParser(to: method, limits: limits)
        for piece in pieces where !isComplete {
            let input = [UInt8](piece)
            var position = 0
            feeding: while true {
                switch parser.next(input.span, &position) {
                case .needMore:
                    precondition(position == input.count, "bytes were left")
                    break feeding
                case .head(let head):
                    status = head.status
                    headers = head.headers.map { "\($0.name): \($0.value)" }
                    framing = head.framing
                case .body(let range):
                    precondition(!range.isEmpty)
                    body += String(decoding: input[range], as: UTF8.self)
                case .end:
                    isComplete = true
                    break feeding
                case .failure(let found):
                    failure = found
                    return
                }
            }
        }
        if ends, !isComplete { isComplete = parser.connectionEnded() }
    }
}

@Suite struct ResponseParserTests {
    /// What all ways to split the answer agree on.
    private func answer(
        _ text: String, to method: Method = .get, limits: Limits = Limits(), ends: Bool = true
    ) throws -> AnswerTranscript {
        let all = splits(of: [UInt8](text.utf8)).map { AnswerTranscript($0, to: method, limits: limits, ends: ends) }
        return try #require(all.allSatisfy { $0 == all[0] } ? all[0] : nil)
    }

    @Test func aLengthDelimitsTheBody() throws {
        let seen = try answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-A: b\r\n\r\nabcrest", ends: false)
        #expect(seen.status == 200 && seen.body == "abc" && seen.isComplete && seen.failure == nil)
        #expect(seen.headers == ["content-length: 3", "x-a: b"])
    }

    @Test func anAnswerShorterThanItsLengthIsNotComplete() throws {
        #expect(try !answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc").isComplete)
        #expect(try !answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n").isComplete)
        #expect(try !answer("HTTP/1.1 200 OK\r\nContent-Le").isComplete)
        #expect(try !answer("").isComplete)
    }

    @Test func chunksAreJoined() throws {
        let seen = try answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n",
            ends: false)
        #expect(seen.body == "abcde" && seen.isComplete)
    }

    @Test func withoutLengthTheBodyEndsWithTheConnection() throws {
        let seen = try answer("HTTP/1.0 200\r\n\r\nabc")
        #expect(seen.body == "abc" && seen.isComplete && seen.framing == .untilClose)
        #expect(try !answer("HTTP/1.0 200\r\n\r\nabc", ends: false).isComplete)
    }

    @Test(arguments: [("204 No Content", Method.get), ("304 Not Modified", .get), ("200 OK", .head)])
    func someAnswersHaveNoBodyWhateverTheySay(_ status: String, _ method: Method) throws {
        let seen = try answer("HTTP/1.1 \(status)\r\nContent-Length: 3\r\n\r\n", to: method, ends: false)
        #expect(seen.isComplete && seen.framing == ReceivedHead.Framing.none)
    }

    @Test func aLengthOfZeroIsNoBody() throws {
        #expect(try answer("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", ends: false).isComplete)
    }

    @Test func interimAnswersAreSkippedWithinReason() throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        let last = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
        let seen = try answer(String(repeating: interim, count: 10) + last, ends: false)
        #expect(seen.status == 200 && seen.body == "a" && seen.isComplete)
        #expect(try answer(String(repeating: interim, count: 11) + last).failure == .malformedStatusLine)
        #expect(try answer("HTTP/1.1 101 Switching Protocols\r\n\r\n").failure == .malformedStatusLine)
    }

    @Test(arguments: [
        ("HTTP/2 200 OK\r\n\r\n", ParseFailure.malformedStatusLine), ("HTTP/1.2 200 OK\r\n\r\n", .unknownVersion),
        ("HTTP/1.1 20 OK\r\n\r\n", .malformedStatusLine), ("HTTP/1.1 099 OK\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 2000\r\n\r\n", .malformedStatusLine), ("HTTP/1.1  200 OK\r\n\r\n", .malformedStatusLine),
        ("ICY 200 OK\r\n\r\n", .malformedStatusLine), ("\r\nHTTP/1.1 200 OK\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 200 OK\nA: b\r\n\r\n", .bareLineFeed), ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .foldedHeader),
        ("HTTP/1.1 200 OK\r\nA b\r\n\r\n", .malformedHeader),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", .malformedContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformedContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .conflictingFraming),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .malformedTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .malformedChunk),
    ])
    func whatIsNoAnswerIsRefused(_ text: String, _ failure: ParseFailure) throws {
        let seen = try answer(text)
        #expect(seen.failure == failure && !seen.isComplete)
    }

    @Test(arguments: [
        "Content-Length: 8\r\n\r\n12345678", "Transfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n4\r\n5678\r\n0\r\n\r\n",
        "X: y\r\n\r\n12345678",
    ])
    func theBodyHasALimit(_ rest: String) throws {
        var limits = Limits()
        limits.bodyBytes = 8
        #expect(try answer("HTTP/1.1 200 OK\r\n" + rest, limits: limits).body == "12345678")
        limits.bodyBytes = 7
        let seen = try answer("HTTP/1.1 200 OK\r\n" + rest, limits: limits)
        #expect(seen.failure == .bodyTooLarge && !seen.isComplete)
    }

    @Test func theHeadHasALimit() throws {
        let text = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n"
        var limits = Limits()
        limits.headBytes = text.utf8.count
        #expect(try answer(text, limits: limits).isComplete)
        limits.headBytes -= 1
        #expect(try answer(text, limits: limits).failure == .headTooLarge)
        limits = Limits()
        limits.headerCount = 1
        #expect(try answer(text, limits: limits).failure == .tooManyHeaders)
    }
}

@Suite struct RequestSerializerTests {
    private func text(
        _ method: Method = .get, _ target: String = "/a?b", _ host: String = "h:1", _ headers: HeaderFields = [:],
        _ body: [UInt8]? = nil
    ) -> String? {
        RequestSerializer.bytes(method, target: target, host: host, headers: headers, body: body)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aRequestIsWrittenWithItsFraming() {
        #expect(text() == "GET /a?b HTTP/1.1\r\nhost: h:1\r\nconnection: close\r\n\r\n")
        let headers: HeaderFields = ["X-A": "b", "Host": "evil", "Content-Length": "9", "Transfer-Encoding": "chunked"]
        #expect(
            text(.put, "/", "h", headers, [0x61, 0x62])
                == "PUT / HTTP/1.1\r\nhost: h\r\nconnection: close\r\nx-a: b\r\ncontent-length: 2\r\n\r\nab")
        #expect(text(.post, "/", "h", [:], [])?.contains("content-length: 0\r\n") == true)
    }

    @Test func nothingBreaksOutOfItsLine() {
        for target in ["", "a", "/ b", "/\r\nX: y", "/\u{7F}", "/ü", "/\u{0}"] { #expect(text(.get, target) == nil) }
        for host in ["", "h\r\nX: y", "a b", "u@h", "h/x"] { #expect(text(.get, "/", host) == nil) }
        #expect(text(.get, "/", "h", ["X": "a\r\nY: b"]) == "GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n")
    }
}

import HTTP1
import Testing

/// Shapes that two servers in a row could read in two ways. Whatever comes after them must not be read as a request.
@Suite struct SmugglingTests {
    struct Shape: CustomTestStringConvertible {
        var text: String
        var failure: ParseFailure
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ failure: ParseFailure) {
            self.text = text
            self.failure = failure
        }
    }

    static let framing: [Shape] = [
        Shape(request("Content-Length: 3", "Content-Length: 3", body: "abc"), .malformedContentLength),
        Shape(request("Content-Length: 3", "Content-Length: 4", body: "abc"), .malformedContentLength),
        Shape(request("Content-Length: 3, 3", body: "abc"), .malformedContentLength),
        Shape(request("Content-Length: +3", body: "abc"), .malformedContentLength),
        Shape(request("Content-Length: -1"), .malformedContentLength),
        Shape(request("Content-Length: 0x3"), .malformedContentLength),
        Shape(request("Content-Length: 3 3"), .malformedContentLength),
        Shape(request("Content-Length:"), .malformedContentLength),
        Shape(request("Content-Length: 9223372036854775808"), .bodyTooLarge),
        Shape(request("Content-Length: 18446744073709551619"), .bodyTooLarge),
        Shape(request("Content-Length: 3", "Transfer-Encoding: chunked"), .conflictingFraming),
        Shape(request("Transfer-Encoding: chunked", "Content-Length: 3"), .conflictingFraming),
        Shape(request("Transfer-Encoding: chunked, chunked"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: gzip, chunked"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: chunked", "Transfer-Encoding: x"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: xchunked"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: identity"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: \"chunked\""), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: chunked;a=b"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding:"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding: chunked", line: "POST / HTTP/1.0"), .malformedTransferEncoding),
        Shape(request("Transfer-Encoding : chunked"), .malformedHeader),
        Shape(request("Transfer-Encoding\u{0B}: chunked"), .controlByte),
        Shape(request("X: y\r\n Transfer-Encoding: chunked"), .foldedHeader),
    ]

    static let lines: [Shape] = [
        Shape("GET / HTTP/1.1\nHost: h\n\n", .bareLineFeed),
        Shape("GET / HTTP/1.1\r\nHost: h\n\r\n", .bareLineFeed),
        Shape("GET / HTTP/1.1\rHost: h\r\n\r\n", .bareCarriageReturn),
        Shape("GET / HTTP/1.1\r\nX: a\rb\r\nHost: h\r\n\r\n", .bareCarriageReturn),
        Shape("GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", .bareCarriageReturn),
        Shape("\rGET / HTTP/1.1\r\n", .bareCarriageReturn),
        Shape("\nGET / HTTP/1.1\r\n", .bareLineFeed),
        Shape("\r\n\r\nGET / HTTP/1.1\r\n", .malformedRequestLine),
        Shape(request("X: a\u{00}b"), .controlByte),
        Shape(request("X: a\u{01}b"), .controlByte),
        Shape(request("X: a\u{7F}b"), .controlByte),
        Shape("\u{16}\u{03}\u{01}", .controlByte),
        Shape("GET /\u{00} HTTP/1.1\r\n", .controlByte),
        Shape(request("X: a\r\n\tb"), .foldedHeader),
        Shape("GET / HTTP/1.1\r\n Host: h\r\n\r\n", .foldedHeader),
        Shape(request("X : a"), .malformedHeader),
        Shape(request("X\t: a"), .malformedHeader),
        Shape(request(": a"), .malformedHeader),
        Shape(request("no colon"), .malformedHeader),
        Shape(request("nocolon"), .malformedHeader),
        Shape(request("X(: a"), .malformedHeader),
        Shape(request("X\u{E9}: a"), .malformedHeader),
    ]

    static let heads: [Shape] = [
        Shape("GET / HTTP/1.1\r\n\r\n", .malformedHost),
        Shape("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .malformedHost),
        Shape("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", .malformedHost),
        Shape("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .malformedHost),
        Shape("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .malformedHost),
        Shape("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", .malformedHost),
        Shape(request(line: "GET / HTTP/2.0"), .unknownVersion),
        Shape(request(line: "GET / HTTP/1.2"), .unknownVersion),
        Shape(request(line: "GET / HTTP/0.9"), .unknownVersion),
        Shape("PRI * HTTP/2.0\r\n\r\n", .unknownVersion),
        Shape(request(line: "GET / http/1.1"), .malformedRequestLine),
        Shape(request(line: "GET / HTTP/1.10"), .malformedRequestLine),
        Shape(request(line: "GET / HTTP/11"), .malformedRequestLine),
        Shape(request(line: "GET /"), .malformedRequestLine),
        Shape(request(line: "GET  / HTTP/1.1"), .malformedRequestLine),
        Shape(request(line: "GET /  HTTP/1.1"), .malformedRequestLine),
        Shape(request(line: "GET / HTTP/1.1 "), .malformedRequestLine),
        Shape(request(line: "GET / a HTTP/1.1"), .malformedRequestLine),
        Shape(request(line: " GET / HTTP/1.1"), .malformedRequestLine),
        Shape(request(line: "GET\t/ HTTP/1.1"), .malformedRequestLine),
        Shape(request(line: "G@T / HTTP/1.1"), .malformedRequestLine),
        Shape(request(line: "get / HTTP/1.1"), .unknownMethod),
        Shape(request(line: "BREW / HTTP/1.1"), .unknownMethod),
        Shape(request(line: "CONNECT h:1 HTTP/1.1"), .unknownMethod),
        Shape(request(line: "GET a HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET ftp://a/ HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET http:/// HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET http:// HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET http://u@h/ HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET /a#b HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET /a\tb HTTP/1.1"), .malformedTarget),
        Shape(request(line: "GET /?a\tb HTTP/1.1"), .malformedTarget),
    ]

    @Test(arguments: framing + lines + heads)
    func theShapeIsRefusedHoweverItIsSplit(_ shape: Shape) throws {
        let seen = try #require(transcript(shape.text + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(seen.failure == shape.failure)
        #expect(!seen.messages.contains { $0.target == "/smuggled" })
    }

    @Test func aTargetThatIsNotUTF8IsRefused() {
        let bytes = [UInt8]("GET /".utf8) + [0xC3] + [UInt8](" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        #expect(transcript(bytes)?.failure == .malformedTarget)
    }

    @Test func aFailedParserStaysFailed() {
        var parser = RequestParser()
        let good = [UInt8](request(line: "GET / HTTP/1.1").utf8)
        var position = 0
        _ = parser.next([UInt8]("\n".utf8).span, &position)
        for _ in 0..<2 {
            position = 0
            guard case .failure(.bareLineFeed) = parser.next(good.span, &position) else {
                Issue.record("the parser recovered")
                return
            }
        }
    }

    @Test func everyFailureHasAnErrorStatusAndASentence() {
        for failure in ParseFailure.allCases {
            #expect((400...505).contains(failure.status))
            #expect(failure.reason.hasSuffix("."))
        }
    }
}

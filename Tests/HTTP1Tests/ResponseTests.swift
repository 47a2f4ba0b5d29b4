import HTTP1
import Testing

@Suite struct ResponseTests {
    func lines(_ head: ResponseHead) -> [String] {
        var output: [UInt8] = []
        ResponseSerializer.append(head, date: "D", to: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n"))
        return text.dropLast(2).split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func aHeadHasStatusDateLengthAndFields() {
        let head = ResponseHead(status: 200, headers: ["Content-Type": "text/plain", "X-A": "b"], framing: .length(12))
        #expect(
            lines(head) == ["HTTP/1.1 200 OK", "date: D", "content-length: 12", "content-type: text/plain", "x-a: b"])
    }

    @Test func anUnlistedStatusHasAnEmptyPhrase() {
        #expect(lines(ResponseHead(status: 299, framing: .length(0))).first == "HTTP/1.1 299 ")
    }

    @Test func framingHeadersOfTheApplicationAreLeftOut() {
        let headers: HeaderFields = [
            "Content-Length": "99", "Transfer-Encoding": "gzip", "Connection": "close", "Date": "x", "a": "b",
        ]
        let seen = lines(ResponseHead(status: 200, headers: headers, framing: .length(0)))
        #expect(seen == ["HTTP/1.1 200 OK", "date: D", "content-length: 0", "a: b"])
    }

    @Test func chunksAreForNewClientsOnly() {
        let new = lines(ResponseHead(status: 200, framing: .chunked))
        #expect(new == ["HTTP/1.1 200 OK", "date: D", "transfer-encoding: chunked"])
        let old = lines(ResponseHead(status: 200, framing: .chunked, minorVersion: 0))
        #expect(old == ["HTTP/1.1 200 OK", "date: D", "connection: close"])
    }

    @Test func persistenceIsSaidWhereTheVersionDoesNotSayIt() {
        let kept = lines(ResponseHead(status: 200, framing: .length(0), minorVersion: 0, keepsAlive: true))
        #expect(kept.contains("connection: keep-alive"))
        let closed = lines(ResponseHead(status: 200, framing: .length(0), keepsAlive: false))
        #expect(closed.contains("connection: close"))
        #expect(lines(ResponseHead(status: 200, framing: .untilClose)).contains("connection: close"))
    }

    @Test(arguments: [204, 304], [ResponseHead.Framing.length(5), .chunked, .untilClose])
    func aStatusWithoutBodyHasNoFraming(_ status: Int, _ framing: ResponseHead.Framing) {
        #expect(lines(ResponseHead(status: status, framing: framing)).count == 2)
        #expect(!ResponseSerializer.sendsBody(status: status, method: .get))
    }

    @Test func anUpgradeKeepsItsConnectionHeader() {
        let headers: HeaderFields = ["Upgrade": "websocket", "Connection": "Upgrade"]
        let seen = lines(ResponseHead(status: 101, headers: headers, framing: .untilClose, keepsAlive: false))
        #expect(
            seen == ["HTTP/1.1 101 Switching Protocols", "date: D", "upgrade: websocket", "connection: Upgrade"])
    }

    @Test func headHasTheLengthButNoBody() {
        #expect(lines(ResponseHead(status: 200, framing: .length(7))).contains("content-length: 7"))
        #expect(!ResponseSerializer.sendsBody(status: 200, method: .head))
        #expect(ResponseSerializer.sendsBody(status: 200, method: .get))
    }

    @Test func chunksCarryTheirSizeInHex() {
        var output: [UInt8] = []
        ResponseSerializer.appendChunk([UInt8](repeating: 0x78, count: 26), to: &output)
        ResponseSerializer.appendChunk([], to: &output)
        output += ResponseSerializer.lastChunk
        #expect(String(decoding: output, as: UTF8.self) == "1a\r\n\(String(repeating: "x", count: 26))\r\n0\r\n\r\n")
    }
}

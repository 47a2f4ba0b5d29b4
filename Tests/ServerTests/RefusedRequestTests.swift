import Testing

@testable import Server

/// What two servers in a row could read in two ways (RFC 9112, section 11.2), over a socket: refused, and nothing that
/// follows is taken for a request.
@Suite(.timeLimit(.minutes(1))) struct RefusedRequestTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var request: String
        var status: Int

        init(_ name: String, _ request: String, _ status: Int = 400) {
            testDescription = name
            self.request = request
            self.status = status
        }

        /// A POST with these headers.
        static func post(_ headers: String..., body: String = "abc", status: Int = 400) -> Row {
            let lines = headers.map { "\($0)\r\n" }.joined()
            return Row(
                "\(headers) \(body.debugDescription)", "POST /echo HTTP/1.1\r\nhost: a\r\n\(lines)\r\n\(body)", status)
        }

        static func chunks(_ body: String, status: Int = 400) -> Row {
            post("transfer-encoding: chunked", body: body, status: status)
        }

        /// A GET with this line, and one with these lines after it.
        static func line(_ line: String, status: Int = 400) -> Row {
            Row(line, "\(line)\r\nhost: a\r\n\r\n", status)
        }

        static func head(_ lines: String, status: Int = 400) -> Row {
            Row(lines.debugDescription, "GET /hello HTTP/1.1\r\n\(lines)\r\n", status)
        }
    }

    static let lengths: [Row] = [
        .post("content-length: 3", "content-length: 3"), .post("content-length: 3", "content-length: 4"),
        .post("content-length: 3, 3"), .post("content-length: 3, 4"), .post("content-length: +3"),
        .post("content-length: -3"), .post("content-length: 3 3"), .post("content-length: 0x3"),
        .post("content-length: 3.0"), .post("content-length: 3;"), .post("content-length:"),
        .post("content-length: \"3\""), .post("content-length: ３"),
        .post("content-length : 3"), .post("content-length\t: 3"), .post(" content-length: 3"),
        .post("content-length: 1001", status: 413), .post("content-length: 18446744073709551619", status: 413),
    ]

    static let encodings: [Row] = [
        .post("content-length: 3", "transfer-encoding: chunked", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked", "content-length: 3", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked", "transfer-encoding: chunked", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked", "transfer-encoding: identity", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked, chunked", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked, identity", body: "0\r\n\r\n"),
        .post("transfer-encoding: gzip, chunked", body: "0\r\n\r\n"), .post("transfer-encoding: gzip"),
        .post("transfer-encoding: identity"), .post("transfer-encoding: xchunked", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked x", body: "0\r\n\r\n"),
        .post("transfer-encoding: \"chunked\"", body: "0\r\n\r\n"),
        .post("transfer-encoding: chunked;a=b", body: "0\r\n\r\n"), .post("transfer-encoding:", body: "0\r\n\r\n"),
        .post("transfer-encoding:\u{0B}chunked", body: "0\r\n\r\n"),
        .post("transfer-encoding : chunked", body: "0\r\n\r\n"),
        .post("transfer-encoding\t: chunked", body: "0\r\n\r\n"),
        .post(" transfer-encoding: chunked", body: "0\r\n\r\n"),
        .post("x: y\r\n transfer-encoding: chunked", body: "0\r\n\r\n"),
        .post("transfer-encoding:\r\n chunked", body: "0\r\n\r\n"),
        .post("x: y\ntransfer-encoding: chunked", body: "0\r\n\r\n"),
        .post("x: y\rtransfer-encoding: chunked", body: "0\r\n\r\n"),
        Row(
            "chunks in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    static let chunks: [Row] = [
        .chunks("g\r\n"), .chunks("\r\n"), .chunks(";a\r\n"), .chunks("-1\r\nx\r\n"), .chunks("+1\r\nx\r\n"),
        .chunks("0x1\r\nx\r\n"), .chunks(" 1\r\nx\r\n"), .chunks("1 \r\nx\r\n"), .chunks("1\t\r\nx\r\n"),
        .chunks("1\nx\r\n"), .chunks("1\rx\r\n"), .chunks("1\r\nxy\r\n"), .chunks("1\r\nx\n0\r\n\r\n"),
        .chunks("1;a\nx\r\n"), .chunks("1;a\u{0}\r\nx\r\n"), .chunks("00000000000000001\r\nx\r\n"),
        .chunks("10000000000000000\r\n"), .chunks("3e9\r\n", status: 413),
        .chunks("0\r\nbad\r\n\r\n"), .chunks("0\r\nx : y\r\n\r\n"), .chunks("0\r\n x: y\r\n\r\n"),
        .chunks("0\r\nx: y\n\r\n"), .chunks("0\r\nx: \u{1}\r\n\r\n"), .chunks("0\n\n"), .chunks("0\r\n\n"),
    ]

    static let heads: [Row] = [
        .head(""), .head("host: a\r\nhost: a\r\n"), .head("host: a\r\nhost: b\r\n"), .head("host: a, b\r\n"),
        .head("host: a/b\r\n"), .head("host: a@b\r\n"), .head("host : a\r\n"), .head(" host: a\r\n"),
        .head("host: a\r\n folded: b\r\n"), .head("host: a\r\n\tfolded\r\n"), .head("host: a\r\nx: \u{0}\r\n"),
        .head("host: a\r\nx\u{0}: y\r\n"), .head("host: a\r\nx: \u{1B}\r\n"), .head("host: a\r\n: y\r\n"),
        .head("host: a\r\nno colon\r\n"), .head("host: a\r\nx(: y\r\n"), .head("host: a\r\nx: y\rz\r\n"),
        .head("host: a\nx: y\r\n"), .head("host: a\r\nx: y\n"),
        Row("only line feeds", "GET /hello HTTP/1.1\nhost: a\n\n"),
        Row("only carriage returns", "GET /hello HTTP/1.1\rhost: a\r\r"),
        Row("101 headers", "GET / HTTP/1.1\r\nhost: a\r\n\(String(repeating: "x: y\r\n", count: 100))\r\n", 431),
        Row(
            "100,000 bytes of headers",
            "GET / HTTP/1.1\r\nhost: a\r\nx: \(String(repeating: "y", count: 100_000))\r\n\r\n", 431),
    ]

    static let lines: [Row] = [
        .line("GET /hello HTTP/1.2", status: 505), .line("GET /hello HTTP/2.0", status: 505),
        .line("GET /hello HTTP/0.9", status: 505), .line("PRI * HTTP/2.0", status: 505),
        .line("GET /hello"), .line("GET /hello http/1.1"), .line("GET /hello HTTP/1.10"), .line("GET /hello HTTP/11"),
        .line("GET  /hello HTTP/1.1"), .line("GET /hello  HTTP/1.1"), .line("GET /hello HTTP/1.1 "),
        .line("GET\t/hello HTTP/1.1"), .line(" GET /hello HTTP/1.1"), .line("GET /he llo HTTP/1.1"),
        .line("GET /he\u{0}llo HTTP/1.1"), .line("GET /he\u{1}llo HTTP/1.1"), .line("GET hello HTTP/1.1"),
        .line("GET /hello#part HTTP/1.1"), .line("GET http:///hello HTTP/1.1"), .line("GET ftp://a/hello HTTP/1.1"),
        .line("GET http://user@a/hello HTTP/1.1"), .line("get /hello HTTP/1.1", status: 501),
        .line("BREW /hello HTTP/1.1", status: 501), .line("CONNECT a:80 HTTP/1.1", status: 501),
        Row("two empty lines", "\r\n\r\nGET /hello HTTP/1.1\r\nhost: a\r\n\r\n"),
        Row("a TLS handshake", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}"),
    ]

    @Test(arguments: lengths + encodings + chunks + heads + lines)
    func itIsRefusedAndWhatFollowsIsNoRequest(_ row: Row) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(row.request + "GET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == row.status)
        #expect(response["connection"] == "close")
        #expect(try client.readToEnd() == [])
        client.close()
        server.waitForConnections(0)
        server.wait { if case .finished(_, status: row.status, _) = $0 { true } else { false } }
        #expect(server.seenCount == 0)
    }

    // MARK: What is no trick

    static let taken: [(String, String)] = [
        ("POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n", "abc"),
        ("POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 0003\r\n\r\n", "abc"),
        ("POST /echo HTTP/1.1\r\nhost: a\r\nContent-LENGTH:\t3 \r\n\r\n", "abc"),
        ("POST /echo HTTP/1.1\r\nhost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n1\r\na\r\n02\r\nbc\r\n0\r\n\r\n", ""),
        (
            "POST /echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3;x=\"y\";z\r\nabc\r\n0\r\nt: v\r\n\r\n",
            ""
        ),
        ("\r\nPOST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n", "abc"),
        ("POST http://other/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n", "abc"),
    ]

    @Test(arguments: taken)
    func whatTheStandardAllowsIsTakenAndTheNextRequestIsFound(_ head: String, _ body: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(head + body + "GET /hello HTTP/1.1\r\nhost: a\r\n\r\n")
        #expect(try client.readResponse().text == "abc")
        #expect(try client.readResponse().text == "hello")
    }
}

import Multipart
import Testing

/// Forms (RFC 7578, RFC 2046 section 5.1.1).
@Suite struct MultipartTests {
    private static let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a.png\""

    private static func parts(
        _ body: String, boundary: String = "X", limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartFailure) -> [Multipart.Part] {
        try parts(of: Array(body.utf8), boundary: boundary, limits: limits)
    }

    private static func parts(
        of body: [UInt8], boundary: String = "X", limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartFailure) -> [Multipart.Part] {
        try Multipart.parts(of: body.span, boundary: Array(boundary.utf8), limits: limits)
    }

    private static func contents(_ body: String) throws(MultipartFailure) -> [String] {
        let bytes = Array(body.utf8)
        return try parts(body).map { String(decoding: bytes[$0.content], as: UTF8.self) }
    }

    private static func form(_ head: String, _ content: String = "") -> String {
        "--X\r\n\(head)\r\n\r\n\(content)\r\n--X--\r\n"
    }

    private static func fileName(_ parameter: String) throws -> String? {
        try parts(form("Content-Disposition: form-data; name=\"file\"; \(parameter)"))[0].fileName
    }

    @Test func aFormIsCutIntoItsParts() throws {
        let body =
            "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
            + "--X\r\n\(Self.disposition)\r\nContent-Type: Image/PNG; q=1\r\n\r\n\r\n2\r\n\r\n--X--\r\n"
        let parts = try Self.parts(body)
        #expect(parts.map(\.name) == ["a", "file"] && parts.map(\.fileName) == [nil, "a.png"])
        #expect(parts.map(\.mediaType) == [nil, "image/png"])
        #expect(try Self.contents(body) == ["1", "\r\n2\r\n"])
    }

    @Test(
        arguments: [
            ("--X--", []), ("preamble\r\n--X\r\n\(disposition)\r\n\r\nv\r\n--X--epilogue", nil),
            ("preamble\r\n--X\r\n\(disposition)\r\n\r\nv\r\n--X--\r\nepilogue", ["v"]),
            ("--X \t\r\n\(disposition)\r\n\r\nv\r\n--X--", ["v"]),
            ("--X\r\n\(disposition)\r\n\r\na\r\n--XY\r\nb\r\n--X--", ["a\r\n--XY\r\nb"]),
            ("--X\r\n\(disposition)\r\n\r\na\n--X\nb\r\n--X--", ["a\n--X\nb"]),
            ("--X\r\n\(disposition)\r\n\r\n--X--", [""]), ("--X\r\n\(disposition)\r\n\r\n\r\n--X--", [""]),
            ("--X\r\n\(disposition)\r\n\r\nv\r\n", nil), ("--X\r\n\(disposition)\r\n\r\nv\r\n--X", nil),
            ("--X\r\n\(disposition)\r\n", nil), ("--X\r\n\(disposition)", nil), ("--X", nil), ("", nil),
            ("no form", nil),
        ] as [(String, [String]?)])
    func boundariesAreWholeLines(_ body: String, _ contents: [String]?) {
        #expect((try? Self.contents(body)) == contents)
    }

    @Test(
        arguments: [
            "X: y", "Content-Disposition: attachment; name=\"file\"", "Content-Disposition: form-data",
            "Content-Disposition: form-data; name", "Content-Disposition: form-data; name=\"file",
            "Content-Disposition: form-data; name=\"a\"; name=\"b\"", "\(disposition)\r\n\(disposition)",
            "\(disposition)\r\nContent-Type: a/b\r\nContent-Type: c/d", "\(disposition)\r\n folded", " \(disposition)",
            "\(disposition)\r\nno colon", "\(disposition)\r\n: empty", "\(disposition)\r\nbad name: x",
            "\(disposition)\r\nContent-Transfer-Encoding: base64", "\(disposition)\u{0}", "\(disposition)\rX",
            "\(disposition)\nX: y", "Content-Disposition: form-data; name=\"a\u{1}\"",
            "Content-Disposition: form-data; name=\"a\" b", "\(disposition)\r\nContent-Type: image/\u{1CD}",
            "\(disposition)\r\nContent-Type: image png",
        ])
    func aMalformedHeadIsRefused(_ head: String) {
        #expect(throws: MultipartFailure.self) { try Self.parts(Self.form(head)) }
    }

    @Test(arguments: ["binary", "8bit", "7BIT"])
    func plainTransferEncodingsAreTaken(_ encoding: String) throws {
        let head = "\(Self.disposition)\r\nContent-Transfer-Encoding: \(encoding)"
        #expect(try Self.contents(Self.form(head, "v")) == ["v"])
    }

    @Test func namesOfFilesLoseTheirPaths() throws {
        #expect(try Self.fileName("filename=\"../../etc/passwd\"") == "passwd")
        #expect(try Self.fileName("filename=\"C:\\Users\\me\\x.jpg\"") == "x.jpg")
        #expect(try Self.fileName("filename=\"..\"") == "" && Self.fileName("filename=\"/\"") == "")
        #expect(try Self.fileName("filename=\"a/..\"") == "" && Self.fileName("filename=.") == "")
        #expect(try Self.fileName("filename=\"a\\\"b.png\"") == "a\"b.png")
        #expect(try Self.fileName("filename=\"\u{85}\u{9B}é.png\";") == "é.png")
        #expect(try Self.fileName("filename*=UTF-8''x.png; filename=plain.png") == "plain.png")
        #expect(try Self.fileName("filename=\"\(String(repeating: "a", count: 255))\"")?.utf8.count == 255)
        #expect(try Self.fileName("filename=\"\(String(repeating: "é", count: 128))\"")?.utf8.count == 254)
    }

    @Test func aNameThatIsNoUTF8IsLatin1() throws {
        let body =
            Array("--X\r\nContent-Disposition: form-data; name=a; filename=\"".utf8) + [0xE9, 0x80]
            + Array(".png\"\r\n\r\n\r\n--X--".utf8)
        #expect(try Self.parts(of: body).first?.fileName == "é.png")
    }

    @Test func partsHaveALimit() throws {
        let part = "--X\r\n\(Self.disposition)\r\n\r\nv\r\n"
        let limit = MultipartLimits().parts
        #expect(try Self.parts(String(repeating: part, count: limit) + "--X--").count == limit)
        for count in [limit + 1, 10_000] {
            #expect(throws: MultipartFailure.self) { try Self.parts(String(repeating: part, count: count) + "--X--") }
        }
    }

    @Test func headsHaveLimits() throws {
        let limits = MultipartLimits()
        let lines = { (count: Int) in
            (0..<count).map { "H\($0): v" }.joined(separator: "\r\n") + "\r\n" + Self.disposition
        }
        #expect(try Self.parts(Self.form(lines(limits.headers - 1))).count == 1)
        #expect(throws: MultipartFailure.self) { try Self.parts(Self.form(lines(limits.headers))) }
        #expect(throws: MultipartFailure.self) { try Self.parts(Self.form(lines(100_000))) }
        // The limit counts the line ends, the last of them after an empty line.
        let rest = limits.headBytes - Self.disposition.utf8.count - "H: \r\n\r\n\r\n".utf8.count
        let padded = { (count: Int) in "H: \(String(repeating: "v", count: count))\r\n\(Self.disposition)" }
        #expect(try Self.parts(Self.form(padded(rest - 1))).count == 1)
        #expect(throws: MultipartFailure.self) { try Self.parts(Self.form(padded(rest + 1))) }
    }

    @Test(
        arguments: [
            ("multipart/form-data; boundary=X", "X"), ("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", "a b"),
            ("multipart/form-data;boundary=----WebKitFormBoundaryAbc", "----WebKitFormBoundaryAbc"),
            ("multipart/form-data; boundary=\(String(repeating: "x", count: 70))", String(repeating: "x", count: 70)),
            ("multipart/form-data; boundary=\(String(repeating: "x", count: 71))", nil),
            ("multipart/form-data; boundary=\"a \"", nil), ("multipart/form-data; boundary=", nil),
            ("multipart/form-data; boundary=é", nil), ("multipart/form-data; boundary=X; boundary=Y", nil),
            ("multipart/form-data", nil), ("multipart/mixed; boundary=X", nil), ("image/png", nil), ("", nil),
            ("multipart/form-data; boundary = X", "X"), ("multipart/form-data; boundary = \"X\" ; a=b", "X"),
            ("multipart/form-data; boundary X", nil), (nil, nil),
        ] as [(String?, String?)])
    func theBoundaryComesFromTheContentType(_ type: String?, _ boundary: String?) {
        #expect((try? Multipart.boundary(ofContentType: type)) == boundary.map { Array($0.utf8) })
    }
}

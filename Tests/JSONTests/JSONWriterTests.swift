import JSON
import Testing

@Suite struct JSONWriterTests {
    private func written(escapesPercent: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(escapesPercent: escapesPercent)
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `members and items are separated by commas and nothing else`() {
        let text = written { json in
            json.object { json in
                json.member("a", 1)
                json.member("b", ["x", "y"])
                json.member("c", orNull: nil)
                json.member("d", ifPresent: Optional<String>.none)
                json.key("e")
                json.object { _ in }
                json.member("f", true)
            }
        }
        #expect(text == #"{"a":1,"b":["x","y"],"c":null,"e":{},"f":true}"#)
    }

    @Test(arguments: [
        ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{0}\u{1F}\n\r\t", #""\u0000\u001f\n\r\t""#),
        ("é😀%", #""é😀%""#), ("", #""""#), ("\u{8}\u{C}\u{7F}/", "\"\\b\\f\u{7F}/\""),
    ])
    func `a string is escaped where it must be`(value: String, text: String) {
        #expect(written { $0.string(value) } == text)
    }

    @Test func `a live frame carries no percent sign`() {
        #expect(written(escapesPercent: true) { $0.string("100%20") } == #""100\u002520""#)
        #expect(written(escapesPercent: true) { $0.raw(#"["%"]"#.utf8) } == #"["\u0025"]"#)
        #expect(written { $0.raw(#"["%"]"#.utf8) } == #"["%"]"#)
    }

    @Test(arguments: [
        (Int64.min, "-9223372036854775808"), (0, "0"), (7, "7"), (10, "10"), (.max, "9223372036854775807"),
    ])
    func `integers are exact`(value: Int64, text: String) {
        #expect(written { $0.int(value) } == text)
    }

    @Test func `a whole number has no fraction`() {
        #expect(written { $0.double(3) } == "3")
        #expect(written { $0.double(2.5) } == "2.5")
        #expect(written { $0.double(.nan) } == "null")
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (1_767_323_045_006, "2026-01-02T03:04:05.006Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
    ])
    func `moments have three digits of milliseconds`(milliseconds: Int64, text: String) {
        #expect(ISODate.format(milliseconds: milliseconds) == text)
    }

    @Test func `a live moment has whole seconds`() {
        #expect(ISODate.format(milliseconds: 1_767_323_045_006, wholeSeconds: true) == "2026-01-02T03:04:05Z")
    }

    @Test func `what is written reads back`() throws {
        let value = JSONValue.array([.string("\u{0}\"é"), .integer(-3), .double(0.25), .bool(false), .null])
        #expect(try JSONValue.parse(value.jsonBytes()) == value)
    }
}

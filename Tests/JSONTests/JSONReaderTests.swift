import JSON
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("null", JSONValue.null), (" true ", .bool(true)), ("-0", .integer(0)), ("12", .integer(12)),
        ("9223372036854775807", .integer(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        ("1.5e2", .double(150)), ("\"\"", .string("")), (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e9\ud83d\ude00""#, .string("é😀")), (#""\ud83d""#, .string("\u{FFFD}")),
        (#""\ud83dx""#, .string("\u{FFFD}x")), (#""\u003d""#, .string("=")), ("[]", .array([])),
        ("[1,[2]]", .array([.integer(1), .array([.integer(2)])])),
    ])
    func `a valid text becomes its value`(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "01", "-", "1.", "1e", ".5", "+1", "\"", "\"\n\"", #""\x""#, #""\u12""#, "[1,]", "[1",
        "{", "{\"a\"}", "{\"a\":1,}", "{a:1}", "1 2", "1e999", "'a'", "\u{FEFF}1",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: JSONFailure.self) { try JSONValue.parse(text) }
    }

    @Test func `invalid UTF-8 is refused`() {
        #expect(throws: JSONFailure.self) { try JSONValue.parse([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONFailure.self) { try JSONValue.parse([0x22, 0x5C, 0x6E, 0xC3, 0x22]) }
    }

    @Test func `sixty-four levels are read and sixty-five are not`() throws {
        let deep = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        _ = try JSONValue.parse(deep(64))
        #expect(throws: JSONFailure.self) { try JSONValue.parse(deep(65)) }
        #expect(throws: JSONFailure.self) { try JSONValue.parse(String(repeating: "[", count: 1_000_000)) }
    }

    @Test func `absent and null members stay apart and the last of a repeated name counts`() throws {
        let object = try #require(try JSONValue.parse(#"{"a":null,"b":1,"b":2}"#).object)
        #expect(object["a"] == .null)
        #expect(object["c"] == nil)
        #expect(object.present("a") == nil)
        #expect(object["b"] == .integer(2))
    }

    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "a"), (#"[1,{"b":[{"c":1,"d":2,"c":3}]}]"#, "c"), (#"{"a":{"b":1},"c":{"b":1}}"#, nil),
        (#"{"é":1,"e\u0301":1}"#, "é"), ("[]", nil), ("1", nil),
    ])
    func `a name that is there twice is found at any depth`(json: String, name: String?) throws {
        #expect(try JSONValue.parse(json).repeatedName == name)
    }
}

import Bytes
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("a%20b", "a b"), ("%C3%a9", "é"), ("%zz", "%zz"), ("%4", "%4"), ("%", "%"),
        ("%%41", "%A"), ("%2", "%2"), ("100%", "100%"), ("%4g%41", "%4gA"), ("é", "é"), ("%00", "\0"), ("%2541", "%41"),
    ])
    func escapesAreDecodedAndBadOnesStay(_ text: String, _ expected: String) {
        #expect(PercentEncoding.decode(text.utf8, plusIsSpace: false) == expected)
    }

    @Test func aPlusIsASpaceOnlyInFormData() {
        #expect(PercentEncoding.decode("a+b%2B".utf8, plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.decode("a+b%2B".utf8, plusIsSpace: false) == "a+b+")
    }

    @Test(arguments: ["%ff", "%C3", "%ED%A0%80", "%C0%80", "a%F4%90%80%80"])
    func aResultThatIsNotUTF8IsRefused(_ text: String) {
        #expect(PercentEncoding.decode(text.utf8, plusIsSpace: false) == nil)
    }

    @Test func componentsAreEncodedAsBrowsersDo() {
        #expect(PercentEncoding.encodeComponent("AZaz09-_.!~*'()") == "AZaz09-_.!~*'()")
        #expect(PercentEncoding.encodeComponent("a b/c?d=é&\u{1F600}") == "a%20b%2Fc%3Fd%3D%C3%A9%26%F0%9F%98%80")
    }

    @Test func everyCharacterSurvivesTheRoundTrip() {
        let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init(_:))))
        #expect(PercentEncoding.decode(PercentEncoding.encodeComponent(text).utf8, plusIsSpace: true) == text)
    }
}

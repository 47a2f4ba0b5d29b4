import Bytes
import Testing

@Suite struct Base64Tests {
    // RFC 4648, section 10.
    static let vectors = [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func theVectorsOfTheStandardHoldBothWays(_ plain: String, _ padded: String, _ bare: String) {
        let bytes = [UInt8](plain.utf8)
        #expect(Base64.encode(bytes) == padded)
        #expect(Base64.encodeURL(bytes) == bare)
        #expect(Base64.decode(padded) == bytes)
        #expect(Base64.decodeURL(bare) == bytes)
        #expect(Base64.urlLength(of: bytes.count) == bare.utf8.count)
        var place = [UInt8](repeating: 0x2E, count: bare.utf8.count + 2)
        Base64.putURL(bytes[...], into: &place, at: 1)
        #expect(place == [UInt8](".\(bare).".utf8))
    }

    @Test func theAlphabetsDifferInTwoDigits() {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64.encodeURL([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64.decode("--__") == nil)
        #expect(Base64.decodeURL("++//") == nil)
    }

    @Test func everyLengthSurvivesTheRoundTrip() {
        let all = [UInt8](0...255)
        for count in 0...256 {
            let bytes = [UInt8](all.prefix(count).reversed())
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
        }
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "Z===", "====", "Zm9v=", "Zg==Zg==", "Zm 9", "Zm9v\n", "Zh==", "Zm9=", "Z"])
    func anythingButExactStandardTextIsRefused(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Z", "Zg==", "Zm9vY", "Zh", "Zm9v "])
    func anythingButExactURLTextIsRefused(_ text: String) {
        #expect(Base64.decodeURL(text) == nil)
    }
}

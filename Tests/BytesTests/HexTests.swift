import Bytes
import Testing

@Suite struct HexTests {
    @Test func everyByteSurvivesTheRoundTrip() {
        let all = [UInt8](0...255)
        #expect(Hex.decode(Hex.encode(all)) == all)
    }

    @Test func digitsComeOutInLowerCaseAndGoInInAnyCase() {
        #expect(Hex.encode([0x00, 0xAB, 0xFF]) == "00abff")
        #expect(Hex.decode("00AbfF") == [0x00, 0xAB, 0xFF])
    }

    @Test(arguments: ["0", "abc", "0g", "g0", " 00", "0x00", "é"])
    func textThatIsNotHexIsRefused(_ text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test func nothingIsEmptyText() {
        #expect(Hex.encode([]) == "")
        #expect(Hex.decode("") == [])
    }
}

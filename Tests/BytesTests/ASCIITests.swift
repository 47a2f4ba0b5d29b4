import Bytes
import Testing

@Suite struct ASCIITests {
    @Test func predicatesAgreeWithTheCharactersTheyName() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(ASCII.isDigit(byte) == ("0"..."9").contains(character))
            #expect(ASCII.isLetterOrDigit(byte) == (ASCII.isLetter(byte) || ASCII.isDigit(byte)))
            #expect(ASCII.isLetter(byte) == (("a"..."z").contains(character) || ("A"..."Z").contains(character)))
            #expect(ASCII.isControl(byte) == (byte < 32 || byte == 127))
            #expect(ASCII.hexValue(byte) == (byte < 128 ? character.hexDigitValue.map { UInt8($0) } : nil))
            let lower = byte < 128 ? character.lowercased() : String(character)
            #expect(String(Unicode.Scalar(ASCII.lowercased(byte))) == lower)
        }
    }

    @Test func caseIsIgnoredForLettersOnly() {
        #expect(ASCII.equalsIgnoringCase("Keep-Alive", "kEEP-aLIVE"))
        #expect(!ASCII.equalsIgnoringCase("a[", "a{"))
        #expect(!ASCII.equalsIgnoringCase("ab", "abc"))
        #expect(!ASCII.equalsIgnoringCase("É", "é"))
    }
}

import Testing
import WebSocket

@Suite struct UTF8Tests {
    static let valid = [
        "", "plain", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\u{D7FF}\u{E000}", "κόσμε",
        "exactly eight bytes then é", "\u{1F600}\u{1F600}",
    ]

    /// The bytes, and how many of them can still begin valid text.
    static let invalid: [([UInt8], Int)] = [
        ([0x80], 0), ([0xBF], 0), ([0xC0], 0), ([0xC1], 0), ([0xF5], 0), ([0xFF], 0), ([0xC2, 0x20], 1),
        ([0xC2, 0xC2], 1), ([0xE0, 0x9F], 1), ([0xE0, 0xA0, 0x7F], 2), ([0xED, 0xA0], 1), ([0xED, 0xBF], 1),
        ([0xF0, 0x8F], 1), ([0xF0, 0x90, 0x80, 0xC0], 3), ([0xF4, 0x90], 1), ([0xEF, 0xBF, 0x20], 2),
        ([0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x80], 9),
    ]

    @Test(arguments: valid)
    func validTextPasses(_ text: String) {
        #expect(events(FrameEncoder.text(utf8(text), mask: key)) == [.text(utf8(text))])
    }

    @Test(arguments: valid)
    func textMayBeCutIntoFragmentsAnywhere(_ text: String) {
        let bytes = utf8(text)
        for cut in 0...bytes.count {
            let frames =
                FrameEncoder.frame(.text, [UInt8](bytes[..<cut]), isFinal: false, mask: key)
                + FrameEncoder.frame(.continuation, [UInt8](bytes[cut...]), mask: key)
            #expect(events(frames) == [.text(bytes)])
        }
    }

    @Test(arguments: invalid)
    func invalidTextFailsAtTheFirstWrongByte(_ bytes: [UInt8], _ sound: Int) {
        var frame = FrameEncoder.frame(.text, bytes + utf8("more to come"), mask: key)
        frame.removeLast(utf8("more to come").count)
        #expect(events(frame) == [.failure(.invalidPayload)])
        frame.removeLast(bytes.count - sound)
        #expect(events(frame) == [])
    }

    @Test(arguments: [[0xC2], [0xE0, 0xA0], [0xF0, 0x90, 0x80]] as [[UInt8]])
    func aTextMustNotEndWithinACharacter(_ bytes: [UInt8]) {
        #expect(events(FrameEncoder.text(bytes, mask: key)) == [.failure(.invalidPayload)])
    }

    @Test func binaryMessagesNeedNotBeText() {
        #expect(events(FrameEncoder.binary([0xFF, 0xC0], mask: key)) == [.binary([0xFF, 0xC0])])
    }

    @Test func theValidatorAgreesWithTheStandardLibrary() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for tail in [[], [0x80], [0x80, 0x80], [0xBF, 0x41]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    var validator = UTF8Validator()
                    let isValid = validator.accept(bytes.span) && validator.isComplete
                    #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil))
                }
            }
        }
    }
}

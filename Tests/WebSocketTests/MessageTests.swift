import Testing
import WebSocket

@Suite struct MessageTests {
    @Test func theExamplesOfTheStandardAreUnderstood() {
        // RFC 6455, section 5.7.
        #expect(events([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], role: .client) == [.text(utf8("Hello"))])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(events(masked) == [.text(utf8("Hello"))])
        #expect(
            events([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], role: .client) == [.text(utf8("Hello"))])
        #expect(events([0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], role: .client) == [.ping(utf8("Hello"))])
        let pong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(events(pong) == [.pong(utf8("Hello"))])
    }

    @Test(arguments: [0, 1, 7, 8, 9, 124, 125, 126, 127, 128, 1000])
    func everyLengthFormIsUnderstoodBothWays(_ count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(events(FrameEncoder.binary(payload, mask: key)) == [.binary(payload)])
        #expect(events(FrameEncoder.binary(payload), role: .client) == [.binary(payload)])
    }

    @Test(arguments: [65_535, 65_536, 65_537])
    func longFramesAreUnderstood(_ count: Int) {
        let payload = [UInt8](repeating: 0x61, count: count)
        let limits = MessageAssembler.Limits(frameBytes: 1 << 20, messageBytes: 1 << 20)
        let bytes = FrameEncoder.text(payload, mask: key)
        #expect(events([bytes[...]], role: .server, limits: limits) == [.text(payload)])
        #expect(events([bytes[..<9], bytes[9...]], role: .server, limits: limits) == [.text(payload)])
    }

    @Test func controlFramesMayStandBetweenFragments() {
        let bytes =
            FrameEncoder.frame(.text, utf8("a"), isFinal: false, mask: key) + FrameEncoder.ping([1], mask: key)
            + FrameEncoder.frame(.continuation, [], isFinal: false, mask: key) + FrameEncoder.pong([2], mask: key)
            + FrameEncoder.frame(.continuation, utf8("b"), mask: key)
        #expect(events(bytes) == [.ping([1]), .pong([2]), .text(utf8("ab"))])
    }

    @Test func messagesFollowEachOther() {
        let bytes = FrameEncoder.text(utf8("a"), mask: key) + FrameEncoder.binary([0xFF], mask: key)
        #expect(events(bytes + bytes) == [.text(utf8("a")), .binary([0xFF]), .text(utf8("a")), .binary([0xFF])])
    }

    @Test(arguments: 0..<16, 0..<4)
    func maskingWorksFromEveryPlace(_ count: Int, _ offset: Int) {
        for start in 0..<3 {
            var bytes = [UInt8](repeating: 0, count: start + count + 2)
            key.apply(to: &bytes, in: start..<(start + count), offset: offset)
            let expected = (0..<count).map { key.bytes[(offset + $0) % 4] }
            #expect(bytes == [UInt8](repeating: 0, count: start) + expected + [0, 0])
        }
    }

    @Test func anEncoderCutsWhatAControlFrameCannotHold() {
        #expect(
            events(FrameEncoder.ping([UInt8](repeating: 1, count: 126), mask: key))
                == [.ping([UInt8](repeating: 1, count: 125))])
        let reason = String(repeating: "é", count: 62)
        let cut = FrameEncoder.close(.normal, reason: reason, mask: key)
        #expect(events(cut) == [.close(code: .normal, reason: String(repeating: "é", count: 61))])
    }
}

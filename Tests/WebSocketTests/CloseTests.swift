import Testing
import WebSocket

@Suite struct CloseTests {
    @Test func everyCodeIsAcceptedOrRefusedAsRegistered() {
        let valid = Set<UInt16>([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014])
        for number in UInt16.min...5000 {
            let payload = [UInt8(number >> 8), UInt8(number & 0xFF)]
            let frame = FrameEncoder.frame(.close, payload, mask: key)
            let limits = MessageAssembler.Limits()
            let seen = events([frame[...]], role: .server, limits: limits)
            if valid.contains(number) || (3000...4999).contains(number) {
                #expect(seen == [.close(code: CloseCode(rawValue: number), reason: "")])
            } else {
                #expect(seen == [.failure(.protocolError)])
            }
        }
    }

    @Test func aCloseMayBeEmptyOrGiveAReason() {
        #expect(events(FrameEncoder.close(nil, mask: key)) == [.close(code: nil, reason: "")])
        let bye = FrameEncoder.close(.goingAway, reason: "bye é", mask: key)
        #expect(events(bye) == [.close(code: .goingAway, reason: "bye é")])
    }

    @Test func aReasonMustBeText() {
        let frame = FrameEncoder.frame(.close, [0x03, 0xE8, 0xFF], mask: key)
        #expect(events(frame) == [.failure(.invalidPayload)])
    }

    @Test func whatFollowsACloseIsIgnored() {
        let bytes = FrameEncoder.close(.normal, mask: key) + [0xFF, 0xFF, 0xFF] + FrameEncoder.text([], mask: key)
        #expect(events(bytes) == [.close(code: .normal, reason: "")])
    }

    @Test func codesThatMayNotBeSentAreNot() {
        #expect(FrameEncoder.close(CloseCode(rawValue: 1006)) == [0x88, 0])
        #expect(FrameEncoder.close(.serviceRestart) == [0x88, 2, 0x03, 0xF4])
    }
}

import Testing
import WebSocket

@Suite struct ViolationTests {
    @Test func clientsRefuseMaskedFrames() {
        #expect(events(FrameEncoder.text([], mask: key), role: .client) == [.failure(.protocolError)])
    }

    @Test func aFailureShowsAtItsFirstByte() {
        #expect(events([0xC1]) == [.failure(.protocolError)])
        #expect(events([0x81, 0x00]) == [.failure(.protocolError)])
        #expect(events([0x81, 0xFE, 0, 125]) == [.failure(.protocolError)])
        #expect(events([0x81, 0xFF, 0x80]) == [.failure(.protocolError)])
    }

    @Test func aFailedAssemblerStaysFailed() {
        var assembler = MessageAssembler(role: .server)
        var position = 0
        #expect(assembler.next([0xFF].span, &position) == .failure(.protocolError))
        position = 0
        let good = FrameEncoder.text([], mask: key)
        #expect(assembler.next(good.span, &position) == .failure(.protocolError))
    }

    @Test(arguments: [5, 125, 126, 300, 65_536])
    func theFrameLimitHoldsAtItsNumberAndOnePast(_ limit: Int) {
        let limits = MessageAssembler.Limits(frameBytes: limit, messageBytes: 1 << 20)
        let fits = FrameEncoder.binary([UInt8](repeating: 1, count: limit), mask: key)
        let exceeds = FrameEncoder.binary([UInt8](repeating: 1, count: limit + 1), mask: key)
        #expect(events([fits[...]], role: .server, limits: limits).count == 1)
        #expect(events([exceeds.prefix(10)], role: .server, limits: limits) == [.failure(.messageTooBig)])
    }

    @Test func theMessageLimitCountsAllFragments() {
        let limits = MessageAssembler.Limits(frameBytes: 10, messageBytes: 10)
        let start = FrameEncoder.frame(.binary, [1, 2, 3, 4, 5, 6], isFinal: false, mask: key)
        let fits = FrameEncoder.frame(.continuation, [7, 8, 9, 10], mask: key)
        let exceeds = FrameEncoder.frame(.continuation, [7, 8, 9, 10, 11], mask: key)
        #expect(events(start + fits, limits: limits) == [.binary([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])])
        #expect(events(start + exceeds, limits: limits) == [.failure(.messageTooBig)])
    }

    @Test func controlFramesPassALowFrameLimit() {
        let limits = MessageAssembler.Limits(frameBytes: 1, messageBytes: 1)
        let payload = [UInt8](repeating: 9, count: 125)
        #expect(events(FrameEncoder.ping(payload, mask: key), limits: limits) == [.ping(payload)])
    }
}

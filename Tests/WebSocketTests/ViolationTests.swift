import Testing
import WebSocket

@Suite struct ViolationTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }
    }

    static let violations: [Case] = [
        Case("first reserved bit", raw(0xC1, 0x80)), Case("second reserved bit", raw(0xA1, 0x80)),
        Case("third reserved bit", raw(0x91, 0x80)), Case("unmasked text", raw(0x81, 0x00)),
        Case("unmasked ping", raw(0x89, 0x00)), Case("fragmented ping", raw(0x09, 0x80)),
        Case("fragmented close", raw(0x08, 0x80)), Case("long ping", raw(0x89, 0xFE, [0, 126])),
        Case("long close", raw(0x88, 0xFF, [0])), Case("125 in two bytes", raw(0x81, 0xFE, [0, 125])),
        Case("65535 in eight bytes", raw(0x81, 0xFF, [0, 0, 0, 0, 0, 0, 0xFF, 0xFF])),
        Case("negative length", raw(0x81, 0xFF, [0x80, 0, 0, 0, 0, 0, 0, 0])),
        Case("continuation of nothing", FrameEncoder.frame(.continuation, [], mask: key)),
        Case(
            "continuation after the end",
            FrameEncoder.text([], mask: key) + FrameEncoder.frame(.continuation, [], mask: key)),
        Case(
            "text within text",
            FrameEncoder.frame(.text, [], isFinal: false, mask: key) + FrameEncoder.frame(.text, [], mask: key)),
        Case(
            "binary within text",
            FrameEncoder.frame(.text, [], isFinal: false, mask: key) + FrameEncoder.frame(.binary, [], mask: key)),
        Case("close with one byte", FrameEncoder.frame(.close, [3], mask: key)),
    ]

    static let reservedOpcodes = ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).map {
        Case("opcode \($0)", raw(0x80 | $0, 0x80, [0, 0, 0, 0]))
    }

    @Test(arguments: violations + reservedOpcodes)
    func aViolationIsAProtocolError(_ violation: Case) {
        #expect(events(violation.bytes)?.last == .failure(.protocolError))
    }

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

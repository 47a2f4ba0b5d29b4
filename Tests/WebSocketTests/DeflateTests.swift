import Compression
import Testing
import WebSocket

/// RFC 7692.
@Suite struct DeflateTests {
    private static let agreed = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    @Test(arguments: [
        ["permessage-deflate"], ["permessage-deflate; client_max_window_bits"],
        [" permessage-deflate ; client_max_window_bits = 8\t"],
        ["permessage-deflate; server_no_context_takeover; client_no_context_takeover"],
        ["permessage-deflate; client_max_window_bits=\"15\""], ["x-webkit-deflate-frame, permessage-deflate"],
        ["x-webkit-deflate-frame", "permessage-deflate"], ["permessage-deflate; odd, permessage-deflate"],
        ["permessage-deflate; server_max_window_bits=7, permessage-deflate"],
        [", ,permessage-deflate"],
    ])
    func anOfferIsTaken(_ fields: [String]) throws {
        let agreement = try #require(DeflateAgreement(offers: fields))
        #expect(agreement.header == Self.agreed)
        #expect(agreement.longestPacked == .max)
    }

    @Test(arguments: [(8, 256), (9, 512), (14, 16_384), (15, .max)])
    func aLimitedWindowIsRepeatedAndLimitsWhatIsPacked(_ bits: Int, _ longest: Int) throws {
        for value in ["\(bits)", "\"\(bits)\""] {
            let agreement = try #require(
                DeflateAgreement(offers: ["permessage-deflate; server_max_window_bits=\(value)"]))
            #expect(agreement.header == Self.agreed + "; server_max_window_bits=\(bits)")
            #expect(agreement.longestPacked == longest)
        }
    }

    @Test(arguments: [
        [], [""], ["deflate"], ["permessage-deflate-2"], ["permessage-deflate; odd"], ["permessage-deflate;"],
        ["permessage-deflate; server_max_window_bits"], ["permessage-deflate; server_max_window_bits=7"],
        ["permessage-deflate; server_max_window_bits=16"], ["permessage-deflate; server_max_window_bits=08"],
        ["permessage-deflate; server_max_window_bits=+9"], ["permessage-deflate; server_max_window_bits="],
        ["permessage-deflate; server_max_window_bits=\""], ["permessage-deflate; client_max_window_bits=16"],
        ["permessage-deflate; client_max_window_bits="], ["permessage-deflate; server_no_context_takeover=1"],
        ["permessage-deflate; client_no_context_takeover=\"\""],
        ["permessage-deflate; server_no_context_takeover; server_no_context_takeover"],
        ["permessage-deflate; client_max_window_bits; client_max_window_bits=9"],
    ])
    func anOfferIsDeclined(_ fields: [String]) {
        #expect(DeflateAgreement(offers: fields) == nil)
    }

    // MARK: Messages

    private let limits = MessageAssembler.Limits(frameBytes: 1000, messageBytes: 1000)

    private func seen(_ bytes: [UInt8]) -> [MessageEvent]? { events(bytes, limits: limits, takesPacked: true) }

    private func packed(_ plain: [UInt8]) throws -> [UInt8] { try #require(MessageDeflate.packed(plain[...])) }

    @Test func packedMessagesInOneOrMoreFramesStandBesidePlainOnes() throws {
        let text = utf8(String(repeating: "grüße ", count: 40))
        let bytes = try packed(text)
        let cut = bytes.count / 2
        let whole = FrameEncoder.frame(.text, bytes, isPacked: true, mask: key)
        let plain = FrameEncoder.text(text, mask: key)
        let pieces =
            FrameEncoder.frame(.binary, Array(bytes[..<cut]), isFinal: false, isPacked: true, mask: key)
            + FrameEncoder.ping([1], mask: key) + FrameEncoder.frame(.continuation, Array(bytes[cut...]), mask: key)
        #expect(
            seen(whole + plain + pieces + whole) == [.text(text), .text(text), .ping([1]), .binary(text), .text(text)])
    }

    @Test func theReservedBitIsForTheFirstFrameOfAMessage() throws {
        let bytes = try packed(utf8("a"))
        #expect(events(FrameEncoder.frame(.text, bytes, isPacked: true, mask: key)) == [.failure(.protocolError)])
        let start = FrameEncoder.frame(.text, bytes, isFinal: false, isPacked: true, mask: key)
        for opcode in [Opcode.continuation, .ping, .pong, .close] {
            let next = FrameEncoder.frame(opcode, [], isPacked: true, mask: key)
            #expect(seen(start + next) == [.failure(.protocolError)], "\(opcode)")
        }
        #expect(seen([0xA1, 0x80]) == [.failure(.protocolError)])
        #expect(seen([0x91, 0x80]) == [.failure(.protocolError)])
    }

    @Test(arguments: [UInt8(0x61), nil]) func theLimitIsThatOfThePlainMessage(_ byte: UInt8?) throws {
        // Noise is longer when it is packed.
        var generator = SystemRandomNumberGenerator()
        func message(_ count: Int) throws -> [UInt8] {
            let plain = (0..<count).map { _ in byte ?? UInt8.random(in: 0...255, using: &generator) }
            return FrameEncoder.frame(.binary, try packed(plain), isPacked: true, mask: key)
        }
        guard case .binary(let bytes)? = seen(try message(1000))?.first else {
            Issue.record("refused")
            return
        }
        #expect(bytes.count == 1000)
        #expect(seen(try message(1001)) == [.failure(.messageTooBig)])
    }

    @Test func plainFramesKeepTheirLimit() {
        #expect(seen(FrameEncoder.binary([UInt8](repeating: 1, count: 1000), mask: key))?.count == 1)
        #expect(seen(FrameEncoder.binary([UInt8](repeating: 1, count: 1001), mask: key)) == [.failure(.messageTooBig)])
    }

    @Test func packedTextMustBeUTF8AndPackedBytesMustBeWhole() throws {
        for bad in [[0xFF], [0xC3]] as [[UInt8]] {
            let bytes = try packed(bad)
            #expect(seen(FrameEncoder.frame(.text, bytes, isPacked: true, mask: key)) == [.failure(.invalidPayload)])
            #expect(seen(FrameEncoder.frame(.binary, bytes, isPacked: true, mask: key)) == [.binary(bad)])
        }
        for bad in [[], [0xFF], [0xF2, 0x48]] as [[UInt8]] {
            #expect(seen(FrameEncoder.frame(.binary, bad, isPacked: true, mask: key)) == [.failure(.invalidPayload)])
        }
    }
}

import Testing
import WebSocket

@testable import Server

/// RFC 6455 over a socket: every way to keep and to break it, whole and byte by byte.
@Suite(.timeLimit(.minutes(2))) struct SocketConformanceTests {
    static let limit = 70_000

    private func hold(_ conversation: Conversation) throws {
        let server = try TestServer { $0.socketMessageBytes = Self.limit }
        try conversation.hold(server, pieceBytes: .max)
        if conversation.bytes.count <= 1000 {
            try conversation.hold(server, pieceBytes: 1)
        } else {
            try conversation.hold(server, pieceBytes: 7000)
        }
    }

    @Test(arguments: opcodes + lengths + limits + fragments + pings)
    func framesAreUnderstoodOrRefused(_ conversation: Conversation) throws { try hold(conversation) }

    @Test(arguments: goodTexts + badTexts)
    func textIsUTF8(_ conversation: Conversation) throws { try hold(conversation) }

    @Test(arguments: closes + closeCodes)
    func closesAreAnswered(_ conversation: Conversation) throws { try hold(conversation) }

    // MARK: Frames

    @Conversations static var opcodes: [Conversation] {
        Conversation("text", rawFrame(0x81, [0x61]), .text([0x61]))
        Conversation("binary", rawFrame(0x82, [0xFF]), .binary([0xFF]))
        Conversation("ping", rawFrame(0x89, [1]), .pong([1]))
        Conversation("pong", rawFrame(0x8A, [1]))
        Conversation("close", rawFrame(0x88), .close(nil))
        Conversation("unmasked text", [0x81, 1, 0x61], .close(1002))
        Conversation("unmasked ping", [0x89, 0], .close(1002))
        Conversation("unmasked close", [0x88, 0], .close(1002))
        Conversation("a mask of zeros", [0x81, 0x81, 0, 0, 0, 0, 0x61], .text([0x61]))
        Conversation("messages in a row", rawFrame(0x81) + rawFrame(0x82, [1]), .text([]), .binary([1]))
        Conversation("a violation after a message", rawFrame(0x81, [0x61]) + [0x81, 0], .text([0x61]), .close(1002))
        for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8] {
            Conversation("opcode \(opcode)", rawFrame(0x80 | opcode), .close(1002))
            Conversation("a fragment with opcode \(opcode)", rawFrame(opcode), .close(1002))
        }
        for bits in [0x40, 0x20, 0x10, 0x70] as [UInt8] {
            for opcode in [0, 1, 2, 8, 9, 10] as [UInt8] {
                Conversation("reserved bits \(bits) with \(opcode)", rawFrame(0x80 | bits | opcode), .close(1002))
            }
        }
    }

    @Conversations static var lengths: [Conversation] {
        for (count, sizes) in [
            (0, [0, 2, 8]), (125, [0, 2, 8]), (126, [2, 8]), (127, [2, 8]), (65_535, [2, 8]), (65_536, [8]),
        ] {
            for size in sizes {
                length(count, in: size, isShortest: size == sizes[0], isText: true)
                length(count, in: size, isShortest: size == sizes[0], isText: false)
            }
        }
        Conversation("a length with the top bit", rawFrame(0x82, lengthBytes: 8, claims: .min), .close(1002))
        Conversation("all bits of a length", rawFrame(0x82, lengthBytes: 8, claims: -1), .close(1002))
        Conversation("the largest length", rawFrame(0x82, lengthBytes: 8, claims: .max), .close(1009))
    }

    private static func length(_ count: Int, in size: Int, isShortest: Bool, isText: Bool) -> Conversation {
        let payload = (0..<count).map { isText ? 0x61 : UInt8(truncatingIfNeeded: $0 &* 7) }
        let answer: Conversation.Answer = isText ? .text(payload) : .binary(payload)
        return Conversation(
            "\(count) bytes, length in \(size)", rawFrame(isText ? 0x81 : 0x82, payload, lengthBytes: size),
            isShortest ? answer : .close(1002))
    }

    @Conversations static var limits: [Conversation] {
        Conversation("at the limit", rawFrame(0x82, zeros(limit)), .binary(zeros(limit)))
        Conversation("one past the limit", rawFrame(0x82, zeros(limit + 1)), .close(1009))
        Conversation("a header one past the limit", rawFrame(0x82, claims: limit + 1), .close(1009))
        Conversation(
            "fragments at the limit", rawFrame(0x02, zeros(limit - 1)) + rawFrame(0x80, zeros(1)),
            .binary(zeros(limit)))
        Conversation(
            "fragments past the limit", rawFrame(0x02, zeros(limit - 1)) + rawFrame(0x80, zeros(2)), .close(1009))
    }

    private static func cut(_ kind: UInt8, in count: Int) -> Conversation {
        let pieces = (0..<count).map { UInt8(0x61 + $0) }
        let frames = pieces.enumerated().map { index, byte in
            rawFrame((index == 0 ? kind : 0) | (index == count - 1 ? 0x80 : 0), [byte])
        }
        return Conversation(
            "opcode \(kind) in \(count)", frames.flatMap(\.self), kind == 1 ? .text(pieces) : .binary(pieces))
    }

    @Conversations static var fragments: [Conversation] {
        for count in 1...6 {
            cut(1, in: count)
            cut(2, in: count)
        }
        Conversation(
            "a ping between fragments", rawFrame(0x01, [0x61]) + rawFrame(0x89, [7]) + rawFrame(0x80, [0x62]),
            .pong([7]), .text([0x61, 0x62])
        ).reordered
        Conversation(
            "a pong between fragments", rawFrame(0x01, [0x61]) + rawFrame(0x8A, [7]) + rawFrame(0x80, [0x62]),
            .text([0x61, 0x62]))
        Conversation("a close between fragments", rawFrame(0x01, [0x61]) + rawFrame(0x88), .close(nil))
        Conversation("empty fragments", rawFrame(0x01) + rawFrame(0x00) + rawFrame(0x80), .text([]))
        Conversation("a continuation of nothing", rawFrame(0x80, [0x61]), .close(1002))
        Conversation("a fragment of nothing", rawFrame(0x00, [0x61]), .close(1002))
        Conversation(
            "a continuation after the end", rawFrame(0x81, [0x61]) + rawFrame(0x80), .text([0x61]), .close(1002))
        Conversation("text within text", rawFrame(0x01, [0x61]) + rawFrame(0x81, [0x62]), .close(1002))
        Conversation("binary within text", rawFrame(0x01, [0x61]) + rawFrame(0x82, [0x62]), .close(1002))
        Conversation("text within binary", rawFrame(0x02, [0x61]) + rawFrame(0x01, [0x62]), .close(1002))
        Conversation("a ping in fragments", rawFrame(0x09, [1]), .close(1002))
        Conversation("a pong in fragments", rawFrame(0x0A, [1]), .close(1002))
        Conversation("a close in fragments", rawFrame(0x08), .close(1002))
    }

    @Conversations static var pings: [Conversation] {
        for count in [0, 1, 124, 125] {
            Conversation("ping of \(count)", rawFrame(0x89, zeros(count)), .pong(zeros(count)))
            Conversation("pong of \(count)", rawFrame(0x8A, zeros(count)))
        }
        for first in [0x88, 0x89, 0x8A] as [UInt8] {
            Conversation("control \(first) of 126", rawFrame(first, zeros(126)), .close(1002))
            Conversation("control \(first) of 65536", rawFrame(first, claims: 65_536), .close(1002))
            Conversation("control \(first) with a long length", rawFrame(first, lengthBytes: 2), .close(1002))
        }
    }

    // MARK: Text

    static let texts = [
        "plain", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\u{D7FF}\u{E000}", "\u{0}", "κόσμε 😀",
    ].map { [UInt8]($0.utf8) }

    /// Each kind of bytes that are no text; the last of them shows it, or the end.
    static let bad: [[UInt8]] = [
        [0x80], [0xBF], [0xC0], [0xC1], [0xF5], [0xFE], [0xFF], [0xC2, 0x20], [0xC2, 0xC2], [0xE0, 0x9F],
        [0xE0, 0xA0, 0x7F], [0xED, 0xA0], [0xED, 0xBF], [0xF0, 0x8F], [0xF0, 0x90, 0x80, 0xC0], [0xF4, 0x90],
        [0xC2], [0xE0, 0xA0], [0xF0, 0x90, 0x80],
    ]

    private static func cut(_ text: [UInt8], at place: Int) -> [UInt8] {
        rawFrame(0x01, Array(text[..<place])) + rawFrame(0x80, Array(text[place...]))
    }

    @Conversations static var goodTexts: [Conversation] {
        for text in texts {
            for place in 0...text.count {
                Conversation("\(text) cut at \(place)", cut(text, at: place), .text(text))
            }
        }
    }

    @Conversations static var badTexts: [Conversation] {
        for bytes in bad.map({ [0x6F, 0x6B] + $0 }) {
            Conversation("\(bytes)", rawFrame(0x81, bytes), .close(1007))
            for place in 0...bytes.count {
                Conversation("\(bytes) cut at \(place)", cut(bytes, at: place), .close(1007))
            }
        }
        // Refused before the message has ended, or even come.
        Conversation("bad text in a first fragment", rawFrame(0x01, [0xFF]), .close(1007))
        Conversation("bad text at the front", Array(rawFrame(0x81, [0xFF] + zeros(100)).prefix(7)), .close(1007))
    }

    // MARK: Closing

    @Conversations static var closes: [Conversation] {
        Conversation("a reason", rawFrame(0x88, [0x03, 0xE8] + [UInt8]("adiós".utf8)), .close(1000))
        Conversation("the longest reason", rawFrame(0x88, [0x03, 0xE8] + zeros(123)), .close(1000))
        Conversation("half a code", rawFrame(0x88, [3]), .close(1002))
        Conversation("a reason that is no text", rawFrame(0x88, [0x03, 0xE8, 0xFF]), .close(1007))
        Conversation("a reason cut short", rawFrame(0x88, [0x03, 0xE8, 0xC3]), .close(1007))
        Conversation("a bad code and a bad reason", rawFrame(0x88, [0, 0, 0xFF]), .close(1002))
        Conversation("text after the close", closing(1000) + rawFrame(0x81, [0x61]), .close(1000))
        Conversation("a ping after the close", closing(1000) + rawFrame(0x89, [1]), .close(1000))
        Conversation("a violation after the close", closing(1000) + [0xFF, 0xFF], .close(1000))
        Conversation("another close", closing(1000) + closing(1001), .close(1000))
        Conversation("text before the close", rawFrame(0x81, [0x61]) + rawFrame(0x88), .text([0x61]), .close(nil))
        Conversation("text after a violation", rawFrame(0x83) + rawFrame(0x81, [0x61]), .close(1002))
    }

    @Conversations static var closeCodes: [Conversation] {
        for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] as [UInt16] {
            Conversation("code \(code)", closing(code), .close(code))
        }
        for code in [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16] {
            Conversation("code \(code)", closing(code), .close(1002))
        }
    }

    private static func closing(_ code: UInt16) -> [UInt8] { rawFrame(0x88, [UInt8(code >> 8), UInt8(code & 255)]) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

import Bytes
import Compression
import WebSocket

/// Compressed messages, gzip files and what is agreed on about them: what is packed comes out again, and nothing is
/// unpacked further than its limit.
package enum DeflateFuzz: FuzzBody {
    private typealias Unpacked = Result<[UInt8], MessageDeflate.Failure>

    private static let wide = 16_384

    /// The first byte chooses what the rest is: a packed message, a plain one, a gzip file, or the offers of a client.
    /// The second is a limit, in steps of 37 bytes.
    package static func run(_ data: [UInt8]) {
        guard data.count >= 2 else { return }
        let limit = Int(data[1]) * 37
        let rest = [UInt8](data.dropFirst(2))
        switch data[0] & 3 {
        case 0: checkPacked(rest, limit: limit)
        case 1: checkPlain(rest, cut: Int(data[1]))
        case 2: checkFile(rest, limit: limit)
        default: checkOffers(String(decoding: rest, as: UTF8.self))
        }
    }

    private static func unpacked(_ packed: [UInt8], limit: Int) -> Unpacked {
        do throws(MessageDeflate.Failure) {
            return .success(try MessageDeflate.plain(packed, limit: limit))
        } catch {
            return .failure(error)
        }
    }

    private static func checkPacked(_ packed: [UInt8], limit: Int) {
        let found = unpacked(packed, limit: limit)
        checkFrame(packed, limit: limit, found)
        switch found {
        case .success(let plain):
            precondition(plain.count <= limit, "more than the limit")
            precondition(unpacked(packed, limit: plain.count) == found, "exactly the limit does not pass")
            precondition(unpacked(packed, limit: wide) == found, "a wide limit changes the message")
            precondition(plain.isEmpty || unpacked(packed, limit: plain.count - 1) == .failure(.tooLong))
            checkPlain(plain, cut: limit)
        case .failure(.malformed): break
        case .failure(.tooLong):
            guard case .success(let plain) = unpacked(packed, limit: wide) else { return }
            precondition(plain.count > limit, "too long though within the limit")
        }
    }

    /// The same in a frame, which may be an eighth and 64 bytes longer than what is in it.
    private static func checkFrame(_ packed: [UInt8], limit: Int, _ found: Unpacked) {
        let limits = MessageAssembler.Limits(frameBytes: limit, messageBytes: limit)
        var assembler = MessageAssembler(role: .client, limits: limits, takesPacked: true)
        let frame = FrameEncoder.frame(.binary, packed, isPacked: true)
        var position = 0
        let event = assembler.next(frame.span, &position)
        let expected: MessageEvent =
            switch found {
            case _ where packed.count > limit + limit / 8 + 64: .failure(.messageTooBig)
            case .success(let plain): .binary(plain)
            case .failure(.tooLong): .failure(.messageTooBig)
            case .failure(.malformed): .failure(.invalidPayload)
            }
        precondition(event == expected, "a frame unpacks to something else")
    }

    private static func checkPlain(_ plain: [UInt8], cut: Int) {
        guard let packed = MessageDeflate.packed(plain[...]) else { preconditionFailure("no memory") }
        precondition(unpacked(packed, limit: plain.count) == .success(plain), "packing changes a message")
        precondition(packed.count <= plain.count + plain.count / 8 + 64, "a packed message may not be sent")
        let start = min(cut, plain.count)
        let end = min(start + cut, plain.count)
        guard let piece = DeflatedPiece([UInt8](plain[start..<end])) else { preconditionFailure("no memory") }
        let file = Gzip.file(before: plain[..<start], piece, after: plain[end...])
        precondition(Gzip.plain(file, limit: plain.count) == plain, "a file changes what is in it")
        precondition(plain.isEmpty || Gzip.plain(file, limit: plain.count - 1) == nil, "more than the limit")
        precondition(Gzip.plain([UInt8](file.dropLast()), limit: wide) == nil, "half a file passes")
    }

    private static func checkFile(_ file: [UInt8], limit: Int) {
        guard let plain = Gzip.plain(file, limit: limit) else { return }
        precondition(plain.count <= limit && Gzip.plain(file, limit: wide) == plain, "a limit changes a file")
        precondition(Gzip.plain(file + [0], limit: limit) == nil, "what follows a file is not noticed")
        checkPlain(plain, cut: limit)
    }

    private static func checkOffers(_ text: String) {
        let fields = text.split(separator: "\n").map(String.init)
        guard let agreement = DeflateAgreement(offers: fields) else { return }
        precondition(agreement.longestPacked >= 256, "a window that no one may ask for")
        precondition(!agreement.header.utf8.contains(where: ASCII.isControl), "an answer that breaks its line")
        precondition(DeflateAgreement(offers: [agreement.header]) == agreement, "the answer says something else")
        precondition(DeflateAgreement(offers: ["other"] + fields) == agreement, "an unknown offer counts")
    }
}

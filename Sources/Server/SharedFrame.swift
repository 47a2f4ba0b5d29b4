import Compression
import Synchronization
import WebSocket

/// An encoded frame for many receivers. Those who agreed on compression share a second form of it, which is made once,
/// when the first of them is sent it.
package struct SharedFrame: Sendable {
    /// Frames with less payload, in bytes, gain nothing.
    static let shortestPacked = 200

    /// As everybody understands it.
    package let plain: [UInt8]
    private let packing: Packing?

    /// A whole message: a frame of text or bytes, not empty.
    package init(_ frame: [UInt8]) {
        plain = frame
        packing = frame.count >= Self.shortestPacked + 4 ? Packing() : nil
    }

    /// A frame that is the same for all, whatever they agreed on.
    init(plain: [UInt8]) {
        self.plain = plain
        packing = nil
    }

    /// What to send to a receiver, from any thread.
    /// - Parameter longestPacked: plain bytes of the longest message that may be compressed for it; 0 for none.
    func bytes(longestPacked: Int) -> [UInt8] {
        guard longestPacked > 0, let packing, plain.count - headerSize <= longestPacked else { return plain }
        return packing.bytes { packed } ?? plain
    }

    private var headerSize: Int {
        switch plain[1] {
        case 126: 4
        case 127: 10
        default: 2
        }
    }

    /// Nil when nothing is gained.
    private var packed: [UInt8]? {
        guard let opcode = Opcode(rawValue: plain[0] & 0x0f), plain[0] & 0x80 != 0,
            let packed = MessageDeflate.packed(plain[headerSize...])
        else { return nil }
        let frame = FrameEncoder.frame(opcode, packed, isPacked: true)
        return frame.count < plain.count ? frame : nil
    }

    private final class Packing: Sendable {
        private enum State {
            case unasked
            case done([UInt8]?)
        }

        // Held while the frame is compressed, so that the loops do not do it twice.
        private let state = Mutex(State.unasked)

        func bytes(_ make: () -> [UInt8]?) -> [UInt8]? {
            state.withLock { state in
                if case .done(let bytes) = state { return bytes }
                let bytes = make()
                state = .done(bytes)
                return bytes
            }
        }
    }
}

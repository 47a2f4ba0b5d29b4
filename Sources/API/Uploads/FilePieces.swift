import Glibc
import Synchronization

/// A part of a file, piece by piece. It is opened when the first piece is wanted, because answers that wait for their turn
/// would hold descriptors that others need.
final class FilePieces: Sendable {
    private struct State {
        var descriptor: Int32 = -1
        var position: Int
    }

    private static let pieceBytes = 64 * 1024

    private let path: String
    private let end: Int
    // Guards the descriptor and the position; only ever used by one loop.
    private let state: Mutex<State>

    init(path: String, range: Range<Int>) {
        self.path = path
        end = range.upperBound
        state = Mutex(State(position: range.lowerBound))
    }

    deinit {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
        }
    }

    /// The next piece; nil at the end, or when the file cannot be read.
    @Sendable func next() -> [UInt8]? {
        state.withLock { state in
            let wanted = min(Self.pieceBytes, end - state.position)
            guard wanted > 0, isOpen(&state) else { return nil }
            let piece = Self.read(state.descriptor, wanted, at: state.position)
            state.position += piece?.count ?? 0
            return piece
        }
    }

    private func isOpen(_ state: inout State) -> Bool {
        if state.descriptor >= 0 { return true }
        state.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard state.descriptor >= 0 else { return false }
        // The kernel reads ahead, so that the loop seldom waits for the disk.
        posix_fadvise(state.descriptor, off_t(state.position), off_t(end - state.position), POSIX_FADV_WILLNEED)
        return true
    }

    private static func read(_ descriptor: Int32, _ count: Int, at position: Int) -> [UInt8]? {
        var result = 0
        let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(position))
            } while result < 0 && errno == EINTR
            initialized = max(0, result)
        }
        return result > 0 ? piece : nil
    }
}

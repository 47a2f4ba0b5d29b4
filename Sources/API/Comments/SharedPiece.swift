import Compression
import Synchronization

/// The compressed form of finished JSON that many answers hold. Made once for each change, and only of what is read
/// again. Usable on any thread.
final class SharedPiece: Sendable {
    private enum State {
        case new
        case read
        case made(DeflatedPiece?)
    }

    /// Smaller JSON is not worth it, bytes.
    static let smallest = 1024
    /// Larger JSON would hold up a loop, bytes.
    static let largest = 1 << 20
    /// From here on, speed counts more than size.
    private static let large = 64 << 10

    // Guards the piece, which whoever needs it first makes for all.
    private let state = Mutex(State.new)

    /// - Parameter json: always the same.
    func piece(of json: [UInt8]) -> DeflatedPiece? {
        guard (Self.smallest...Self.largest).contains(json.count) else { return nil }
        return state.withLock { state in
            switch state {
            case .new:
                state = .read
                return nil
            case .read:
                let piece = DeflatedPiece(json, level: json.count > Self.large ? 1 : 6)
                state = .made(piece)
                return piece
            case .made(let piece): return piece
            }
        }
    }
}

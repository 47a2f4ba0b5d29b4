import CLinux
import Glibc

/// What waits to be sent on one connection. A value without I/O: the owner lends the pieces to a system call and says how
/// much of them went out.
struct OutputQueue {
    private enum Entry {
        /// Owned; of HTTP.
        case bytes([UInt8])
        /// From this frame of the shared batch on, for a receiver of compressed messages up to `packs` plain bytes.
        case frames(FrameBatch, next: Int, packs: Int)
        /// Asked for more when it comes to the front.
        case stream(ResponseStream)
    }

    /// Where a piece of bytes begins.
    private struct Position {
        var entry: Int
        var frame: Int
        var offset: Int
    }

    private var entries: [Entry] = []
    /// Entries before this one have been sent; they are dropped now and then, all at once.
    private var first = 0
    /// How much of the first entry's current bytes has been sent.
    private var offset = 0
    /// What waits, where a batch counts as its current frame and a stream as nothing.
    private(set) var byteCount = 0

    /// How many entries wait.
    var entryCount: Int { entries.count - first }
    var isEmpty: Bool { first == entries.count }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        entries.append(.bytes(bytes))
        byteCount += bytes.count
    }

    /// - Parameter packs: plain bytes of the longest message that the receiver takes compressed; 0 for none.
    mutating func append(_ batch: FrameBatch, packs: Int = 0) {
        guard let frame = batch.frames.first else { return }
        entries.append(.frames(batch, next: 0, packs: packs))
        byteCount += frame.bytes(longestPacked: packs).count
    }

    mutating func append(_ stream: ResponseStream) {
        entries.append(.stream(stream))
    }

    /// Asks a stream at the front for its next piece, so that there is something to send.
    mutating func pull() {
        while first < entries.count, case .stream(let stream) = entries[first] {
            guard let piece = stream.next() else {
                drop()
                continue
            }
            guard !piece.isEmpty else { continue }
            // The place before the front is free when something was sent from it, and mostly it was.
            if first > 0 {
                first -= 1
                entries[first] = .bytes(piece)
            } else {
                entries.insert(.bytes(piece), at: 0)
            }
            byteCount += piece.count
        }
    }

    /// Lends pieces from the front, as many as there are vectors, up to the first stream.
    func withPieces<Result>(
        _ vectors: UnsafeMutableBufferPointer<iovec>,
        _ body: (UnsafeMutableBufferPointer<iovec>) -> Result
    ) -> Result {
        gather(from: Position(entry: first, frame: 0, offset: offset), into: vectors, count: 0, body)
    }

    /// Takes `count` sent bytes off the front.
    mutating func consume(_ count: Int) {
        var left = count
        byteCount -= count
        while left > 0, first < entries.count {
            let waiting = piece(of: entries[first], frame: 0).count - offset
            guard left >= waiting else {
                offset += left
                return
            }
            left -= waiting
            offset = 0
            advance()
        }
    }

    /// Drops all frames but the rest of one that is partly sent, so that another frame may follow. What is HTTP stays.
    mutating func discardFrames() {
        var kept: [Entry] = []
        byteCount = 0
        for (index, entry) in entries[first...].enumerated() {
            switch entry {
            case .frames(let batch, let next, let packs) where index == 0 && offset > 0:
                kept.append(.frames(FrameBatch([batch.frames[next]]), next: 0, packs: packs))
                byteCount += batch.frames[next].bytes(longestPacked: packs).count - offset
            case .frames:
                continue
            case .bytes(let bytes):
                kept.append(entry)
                byteCount += bytes.count - (index == 0 ? offset : 0)
            case .stream:
                kept.append(entry)
            }
        }
        entries = kept
        first = 0
    }

    /// Lets go of everything; streams learn that they have ended.
    mutating func removeAll() {
        for entry in entries[first...] {
            if case .stream(let stream) = entry { stream.abandon() }
        }
        self = OutputQueue()
    }

    /// The first entry's current bytes are sent.
    private mutating func advance() {
        guard case .frames(let batch, let sent, let packs) = entries[first], sent + 1 < batch.frames.count else {
            return drop()
        }
        entries[first] = .frames(batch, next: sent + 1, packs: packs)
        byteCount += batch.frames[sent + 1].bytes(longestPacked: packs).count
    }

    private mutating func drop() {
        entries[first] = .bytes([])
        first += 1
        if first == entries.count {
            // Idle connections keep no memory.
            entries = []
            first = 0
        } else if first >= 64, first * 2 >= entries.count {
            entries.removeFirst(first)
            first = 0
        }
    }

    private func piece(of entry: Entry, frame: Int) -> [UInt8] {
        switch entry {
        case .bytes(let bytes): frame == 0 ? bytes : []
        case .frames(let batch, let next, let packs):
            next + frame < batch.frames.count ? batch.frames[next + frame].bytes(longestPacked: packs) : []
        case .stream: []
        }
    }

    /// Recursive, so that every array lends its bytes until the system call is over.
    private func gather<Result>(
        from start: Position, into vectors: UnsafeMutableBufferPointer<iovec>, count: Int,
        _ body: (UnsafeMutableBufferPointer<iovec>) -> Result
    ) -> Result {
        var position = start
        var bytes: [UInt8] = []
        while position.entry < entries.count {
            bytes = piece(of: entries[position.entry], frame: position.frame)
            if !bytes.isEmpty { break }
            if case .stream = entries[position.entry] { break }
            position = Position(entry: position.entry + 1, frame: 0, offset: 0)
        }
        guard count < vectors.count, !bytes.isEmpty else {
            return body(UnsafeMutableBufferPointer(rebasing: vectors[..<count]))
        }
        // SAFETY: the vector is only used by `body`, inside this closure. The kernel does not write to it.
        return bytes.withUnsafeBytes { buffer in
            let rest = buffer[position.offset...]
            vectors[count] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: UnsafeRawBufferPointer(rebasing: rest).baseAddress),
                iov_len: rest.count)
            let next = Position(entry: position.entry, frame: position.frame + 1, offset: 0)
            return gather(from: next, into: vectors, count: count + 1, body)
        }
    }
}

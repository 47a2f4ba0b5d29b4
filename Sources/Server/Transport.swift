import CLinux
import Crypto
import Glibc
import Reactor

/// How the bytes of one connection travel. Neither kind blocks.
enum Transport {
    typealias Result = TLSSession.IOResult

    case plain(Int32)
    case tls(Int32, TLSSession, TLSStage)

    /// The descriptor, which the connection owns.
    var descriptor: Int32 {
        switch self {
        case .plain(let descriptor), .tls(let descriptor, _, _): descriptor
        }
    }

    var isSecure: Bool {
        if case .tls = self { true } else { false }
    }

    /// Whether bytes have left the output queue that the kernel has not taken yet.
    var holdsBytes: Bool {
        if case .tls(_, _, let stage) = self { !stage.bytes.isEmpty } else { false }
    }

    /// Reads what is there. A buffer of at least 16 KiB empties a TLS record, so that nothing stays where no poll sees it.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result {
        switch self {
        case .plain(let descriptor):
            do throws(SystemCallError) {
                switch try Syscall.read(descriptor, into: buffer) {
                case .bytes(0): return .closed
                case .bytes(let count): return .bytes(count)
                case .wouldBlock: return .wantRead
                }
            } catch {
                return .failed(error.description)
            }
        case .tls(_, let session, _):
            return session.read(into: buffer)
        }
    }

    /// Sends from the front of the queue and takes off it what was sent. `bytes` is how many those were.
    func write(from queue: inout OutputQueue, _ scratch: WriteScratch) -> Result {
        switch self {
        case .plain(let descriptor): writePlain(descriptor, &queue, scratch)
        case .tls(_, let session, let stage): Self.writeSecure(session, stage, &queue, scratch)
        }
    }

    /// Ends our direction of the stream, after what was sent.
    func shutdownWrite() {
        if case .tls(_, let session, _) = self { session.shutdown() }
        Syscall.shutdownWrite(descriptor)
    }

    private func writePlain(_ descriptor: Int32, _ queue: inout OutputQueue, _ scratch: WriteScratch) -> Result {
        let result = queue.withPieces(scratch.vectors) { pieces -> Result in
            do throws(SystemCallError) {
                switch try Syscall.send(descriptor, gathering: pieces) {
                case .bytes(let count): return .bytes(count)
                case .wouldBlock: return .wantWrite
                }
            } catch {
                return .failed(error.description)
            }
        }
        if case .bytes(let count) = result { queue.consume(count) }
        return result
    }

    /// A TLS record that could not go out must be offered again as it is, whatever happens to the queue meanwhile; so its
    /// bytes leave the queue before they are offered.
    private static func writeSecure(
        _ session: TLSSession, _ stage: TLSStage, _ queue: inout OutputQueue, _ scratch: WriteScratch
    ) -> Result {
        if !stage.bytes.isEmpty {
            let result = stage.bytes.withUnsafeBytes { session.write($0) }
            if case .bytes(let count) = result { stage.bytes.removeFirst(count) }
            return result
        }
        let record = scratch.copyRecord(from: queue)
        queue.consume(record.count)
        let result = session.write(UnsafeRawBufferPointer(record))
        switch result {
        case .bytes(let count): stage.bytes = Array(record.dropFirst(count))
        case .wantRead, .wantWrite: stage.bytes = Array(record)
        case .closed, .failed: break
        }
        return result
    }
}

/// Bytes that OpenSSL was offered and has not taken.
final class TLSStage {
    var bytes: [UInt8] = []
}

/// Room for one write at a time, shared by all connections of a loop.
final class WriteScratch {
    /// More pieces than this go out with the next call.
    let vectors = UnsafeMutableBufferPointer<iovec>.allocate(capacity: 64)
    /// The largest record TLS has (RFC 8446, section 5.1).
    private let record = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    deinit {
        vectors.deallocate()
        record.deallocate()
    }

    /// Fills a record from the front of the queue, which keeps the bytes.
    func copyRecord(from queue: OutputQueue) -> UnsafeMutableRawBufferPointer {
        let count = queue.withPieces(vectors) { pieces in
            var filled = 0
            for piece in pieces {
                let count = min(piece.iov_len, record.count - filled)
                guard count > 0 else { break }
                let target = UnsafeMutableRawBufferPointer(rebasing: record[filled...])
                target.copyMemory(from: UnsafeRawBufferPointer(start: piece.iov_base, count: count))
                filled += count
            }
            return filled
        }
        return UnsafeMutableRawBufferPointer(rebasing: record[..<count])
    }
}

import CLinux
import Crypto
import Glibc
import Reactor

/// One connection of one call. Blocks its thread, but never beyond the call's patience.
final class OutboundConnection {
    private let socket: Int32
    private let tls: TLSSession?
    private let patience: Patience

    /// Connects to the address as it is: what was checked is what is called.
    init(
        _ address: SocketAddress, serverName: String, tls context: TLSContext?, connect: Patience, _ patience: Patience
    ) throws(OutboundError) {
        socket = try Self.open(address, connect)
        self.patience = patience
        guard let context else {
            tls = nil
            return
        }
        do throws(TLSError) {
            tls = try TLSSession(context, fileDescriptor: socket, serverName: serverName)
        } catch {
            Syscall.close(socket)
            throw .insecure(error.reason)
        }
        try shakeHands()
    }

    deinit {
        tls?.shutdown()
        Syscall.close(socket)
    }

    private static func open(_ address: SocketAddress, _ patience: Patience) throws(OutboundError) -> Int32 {
        do {
            let socket = try Syscall.makeSocket(for: address)
            do {
                try? Syscall.setOption(socket, level: Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
                try Syscall.connect(socket, to: address)
                try patience.wait(for: .writing, on: socket)
                let number = try Syscall.pendingError(of: socket)
                guard number == 0 else { throw SystemCallError(call: "connect", number: number) }
                return socket
            } catch {
                Syscall.close(socket)
                throw error
            }
        } catch let error as OutboundError {
            throw error
        } catch {
            throw .unreachable("\(error)")
        }
    }

    private func shakeHands() throws(OutboundError) {
        while let tls {
            switch tls.handshake() {
            case .done: return
            case .wantRead: try patience.wait(for: .reading, on: socket)
            case .wantWrite: try patience.wait(for: .writing, on: socket)
            case .closed: throw .insecure("the peer closed the connection")
            case .failed(let reason): throw .insecure(reason)
            }
        }
    }

    private enum Progress {
        case bytes(Int)
        case wait(Patience.Readiness)
        /// In good order, as far as TLS can tell.
        case ended(isClean: Bool)
    }

    /// Sends as much as the peer takes; one that answers before it has read everything may stop reading.
    /// - Returns: whether it took all.
    func send(_ bytes: [UInt8]) throws(OutboundError) -> Bool {
        var start = 0
        while start < bytes.count {
            let result = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            switch try progress(result) {
            case .bytes(let count): start += count
            case .wait(let readiness): try patience.wait(for: readiness, on: socket)
            case .ended: return false
            }
        }
        return true
    }

    /// Waits for bytes.
    /// - Returns: how many came, 0 at the end.
    /// - Throws: `truncated` when TLS did not end properly, so that what came may not be all.
    func receive(into buffer: inout [UInt8], isCleanEndNeeded: Bool) throws(OutboundError) -> Int {
        while true {
            let result = buffer.withUnsafeMutableBytes(read)
            switch try progress(result) {
            case .bytes(let count) where count > 0: return count
            case .bytes: return 0
            case .wait(let readiness): try patience.wait(for: readiness, on: socket)
            case .ended(let isClean):
                guard isClean || !isCleanEndNeeded else { throw .truncated }
                return 0
            }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Result<Progress, SystemCallError> {
        if let tls { return .success(Self.progress(tls.write(bytes), tls)) }
        return Result { () throws(SystemCallError) -> Progress in
            Self.progress(try Syscall.send(socket, bytes), .writing)
        }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Progress, SystemCallError> {
        if let tls { return .success(Self.progress(tls.read(into: buffer), tls)) }
        return Result { () throws(SystemCallError) -> Progress in
            Self.progress(try Syscall.read(socket, into: buffer), .reading)
        }
    }

    private func progress(_ result: Result<Progress, SystemCallError>) throws(OutboundError) -> Progress {
        switch result {
        case .success(let progress): return progress
        case .failure(let error):
            // The other end went away: what it said before may still be a whole answer.
            if error.number == ECONNRESET || error.number == EPIPE { return .ended(isClean: false) }
            throw .unreachable(error.description)
        }
    }

    private static func progress(_ transfer: Syscall.Transfer, _ readiness: Patience.Readiness) -> Progress {
        switch transfer {
        case .bytes(let count): .bytes(count)
        case .wouldBlock: .wait(readiness)
        }
    }

    private static func progress(_ result: TLSSession.IOResult, _ tls: TLSSession) -> Progress {
        switch result {
        case .bytes(let count): .bytes(count)
        case .wantRead: .wait(.reading)
        case .wantWrite: .wait(.writing)
        case .closed: .ended(isClean: tls.wasClosedCleanly)
        case .failed: .ended(isClean: false)
        }
    }
}

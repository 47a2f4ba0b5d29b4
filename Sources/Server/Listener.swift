import CLinux
import Crypto
import Glibc
import Reactor

/// Takes connections off one listening socket. On the loop's thread only.
final class Listener: ReadinessHandler {
    /// Nil for plain HTTP. Changed when certificates are read again.
    var tls: TLSContext?
    private let socket: Int32
    private weak var loop: ServerLoop?
    private var registration: SlotKey?
    /// Given up to take a connection, and refuse it, when the process has no descriptors left: otherwise the client
    /// would wait in the queue and the loop would be woken for it again and again.
    private var spare: Int32?

    /// Owns the socket.
    init(_ socket: Int32, tls: TLSContext?) {
        self.socket = socket
        self.tls = tls
    }

    func start(on loop: ServerLoop) throws(SystemCallError) {
        self.loop = loop
        spare = Self.openSpare()
        registration = try loop.events.register(socket, .read, self)
    }

    /// Closes the socket. Connections that the kernel has accepted and nobody has taken are reset.
    func stop() {
        if let registration { loop?.events.unregister(registration) }
        registration = nil
        Syscall.close(socket)
        if let spare { Syscall.close(spare) }
        spare = nil
    }

    func ready(_ readiness: Readiness) {
        // Some at a time, so that a rush of new connections does not starve the old.
        accept(atMost: 64)
    }

    /// Takes everybody who waits: the last thing to do before `stop`.
    func acceptWaiting() {
        accept(atMost: .max)
    }

    private func accept(atMost limit: Int) {
        for _ in 0..<limit {
            do throws(SystemCallError) {
                switch try Syscall.accept(socket) {
                case .connection(let descriptor, let address): loop?.accept(descriptor, from: address, tls)
                case .wouldBlock: return
                case .aborted: continue
                }
            } catch {
                return refuseOne()
            }
        }
    }

    private func refuseOne() {
        guard let spare else { return pause() }
        Syscall.close(spare)
        if case .connection(let descriptor, _) = try? Syscall.accept(socket) {
            if tls == nil {
                _ = Self.refusal.withUnsafeBytes { try? Syscall.send(descriptor, $0) }
            }
            Syscall.shutdownWrite(descriptor)
            Syscall.close(descriptor)
        }
        self.spare = Self.openSpare()
    }

    /// Somebody else took the spare descriptor. Waits until some may be free again.
    private func pause() {
        guard let loop, let registration else { return }
        loop.events.setInterest([], of: registration)
        loop.events.after(milliseconds: 100) { [weak self] in
            guard let self, let registration = self.registration else { return }
            spare = Self.openSpare()
            self.loop?.events.setInterest(.read, of: registration)
        }
    }

    private static func openSpare() -> Int32? {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }

    private static let refusal = [UInt8](
        "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".utf8)
}

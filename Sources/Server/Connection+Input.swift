import Crypto
import HTTP1
import Reactor

extension Connection {
    /// How many bytes are thrown away while lingering before the other end is believed to be hostile.
    private static let lingeringBytes = 4 * 1024 * 1024

    /// Whether more is to be read off the socket.
    var wantsInput: Bool {
        guard !peerEnded, heldPosition == held.count else { return false }
        switch traffic {
        case .http(let http):
            return http.machine.takesInput(besides: output.byteCount)
        case .webSocket(let socket):
            return socket.machine.isOpen || socket.machine.awaitsClose
        }
    }

    /// Reads what is there, up to a fair share of the turn.
    func readInput() {
        for _ in 0..<4 {
            guard case .open = life, wantsInput else { return }
            switch transport.read(into: UnsafeMutableRawBufferPointer(loop.input)) {
            case .bytes(let count):
                received(count)
                // Saves the call that would say "nothing more". TLS may hold a record back, and must be asked.
                if !transport.isSecure, count < loop.input.count { return }
            case .wantRead:
                return
            case .wantWrite:
                readWantsWrite = true
                return
            case .closed:
                return inputEnded()
            case .failed:
                return terminate()
            }
        }
    }

    /// Goes on with input that had to wait. True when some of it was used.
    func processHeld() -> Bool {
        guard case .open = life, heldPosition < held.count else { return false }
        let before = heldPosition
        // A second reference, so that the bytes stay while `held` may change.
        let bytes = held
        var position = heldPosition
        process(bytes.span, &position)
        guard position < bytes.count, keepsRest else {
            held = []
            heldPosition = 0
            return true
        }
        heldPosition = position
        return position > before
    }

    /// Ends without reading: everything was said.
    func discardInput() {
        var left = Self.lingeringBytes
        while left > 0 {
            let result = try? Syscall.discard(
                transport.descriptor, using: UnsafeMutableRawBufferPointer(loop.input))
            switch result {
            case .wouldBlock: return
            case .bytes(let count) where count > 0: left -= count
            default: return terminate()
            }
        }
        terminate()
    }

    private func received(_ count: Int) {
        let input = UnsafeBufferPointer(rebasing: loop.input[..<count])
        var position = 0
        // SAFETY: the buffer belongs to the loop and is not read into again before this returns.
        process(input.span, &position)
        guard position < count, keepsRest, case .open = life else { return }
        held = Array(input[position...])
        heldPosition = 0
    }

    private func process(_ input: Span<UInt8>, _ position: inout Int) {
        switch traffic {
        case .http(let http): parse(http, input, &position)
        case .webSocket(let socket): assemble(socket, input, &position)
        }
    }

    /// Whether unused input has a future.
    private var keepsRest: Bool {
        switch traffic {
        case .http(let http): !http.machine.isFinishedReading || http.awaitsUpgrade
        case .webSocket(let socket): socket.machine.isOpen || socket.machine.awaitsClose
        }
    }

    private func inputEnded() {
        peerEnded = true
        switch traffic {
        case .http(let http):
            http.request = nil
            http.clientLeft()
            http.machine.inputEnded()
        case .webSocket(let socket):
            // Without a Close there is nobody left to talk to (RFC 6455, section 7.1.5: 1006).
            if socket.machine.isOpen || socket.machine.awaitsClose { terminate() }
        }
    }
}

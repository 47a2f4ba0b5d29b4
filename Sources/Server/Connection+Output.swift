import Crypto
import Reactor

extension Connection {
    /// How much one connection may write in one turn before the others have theirs.
    private static let turnBytes = 1024 * 1024

    /// Whether everything has been handed to the kernel.
    var isOutputEmpty: Bool { output.isEmpty && !transport.holdsBytes }

    /// Whether so much waits that no more answers are to be made.
    var isOutputHigh: Bool {
        output.byteCount > loop.configuration.responseBytesQueued
            || output.entryCount > loop.configuration.maximumExchangesInFlight
    }

    /// Writes until all is out or the kernel takes no more. Tries without being asked; only what is left waits for the
    /// socket to become writable.
    func flush() {
        guard case .open = life, !isWriteBlocked, !writeWantsRead else { return }
        var left = Self.turnBytes
        while left > 0 {
            output.pull()
            guard !isOutputEmpty else { return }
            switch transport.write(from: &output, loop.scratch) {
            case .bytes(let count):
                stalledSince = nil
                left -= count
            case .wantWrite:
                isWriteBlocked = true
                return stall()
            case .wantRead:
                writeWantsRead = true
                return stall()
            case .closed, .failed:
                return terminate()
            }
        }
    }

    private func stall() {
        if stalledSince == nil { stalledSince = loop.events.now }
    }
}

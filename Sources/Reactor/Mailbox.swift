import Glibc
import Synchronization

/// Messages from any thread to one event loop, in order. The loop is woken once for each batch, not for each message.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Readable while a batch waits that the loop has not been told of. Owned: closed at the end of the mailbox.
    let descriptor: Int32

    /// An empty mailbox. Throws when the process has no descriptors left.
    package init() throws(SystemCallError) {
        descriptor = try Syscall.makeEventCounter()
    }

    deinit {
        Syscall.close(descriptor)
    }

    /// Adds a message. A mailbox whose loop has ended drops it. Any thread; never blocks on the loop.
    package func post(_ message: Message) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.messages.append(message)
            return state.messages.count == 1
        }
        if isFirst { wake() }
    }

    /// Takes all messages, oldest first. On the loop's thread.
    func drain() -> [Message] {
        // Cleared before the messages are taken: what comes in between only causes a needless look.
        var count: UInt64 = 0
        withUnsafeMutableBytes(of: &count) { _ = try? Syscall.read(descriptor, into: $0) }
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Drops what waits and what will still come. Any thread.
    func close() {
        let dropped = state.withLock { state in
            defer { state.messages = [] }
            state.isClosed = true
            return state.messages
        }
        // Let go of outside the lock: the end of a message may run code of its owner.
        _ = consume dropped
    }

    private func wake() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the loop is about to look anyway.
        withUnsafeBytes(of: &one) { _ = try? Syscall.write(descriptor, $0) }
    }
}

import CLinux
import Glibc
import Synchronization

/// A named operating system thread that runs one closure. Signals that stop or reload the server are blocked in it.
package final class Thread: Sendable {
    private let handle: pthread_t
    /// Whether the thread has been waited for; held while waiting, so that a second `join` returns only after the end.
    private let isJoined = Mutex(false)

    /// Starts `body` at once on a new thread.
    ///
    /// The name shows in `top -H` and in a debugger; the kernel keeps its first 15 bytes. Throws when the system has no
    /// room for another thread.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let box = Unmanaged.passRetained(Body(name: name, run: body))
        var handle = pthread_t()
        let status = SignalSet.withSignalsBlocked {
            pthread_create(&handle, nil, { Thread.enter($0) }, box.toOpaque())
        }
        guard status == 0 else {
            box.release()
            throw SystemCallError(call: "pthread_create", number: status)
        }
        self.handle = handle
    }

    deinit {
        let handle = handle
        isJoined.withLock { joined in
            if !joined { _ = pthread_detach(handle) }
        }
    }

    /// Waits until the closure has returned. May be called from several threads and again; never from the thread itself.
    package func join() {
        let handle = handle
        isJoined.withLock { joined in
            guard !joined else { return }
            precondition(pthread_join(handle, nil) == 0, "a thread cannot wait for its own end")
            joined = true
        }
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Kept out of any actor: a closure that inherited one would trap on the new thread.
    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        pthread_setname_np(pthread_self(), String(decoding: body.name.utf8.prefix(15), as: UTF8.self))
        body.run()
        return nil
    }
}

import Glibc

/// The signals that mean something to a server, all delivered to the thread that waits for them and to no other.
enum SignalSet {
    /// Stop (`SIGTERM`, `SIGINT`) and reload (`SIGHUP`).
    static let handled: [Int32] = [SIGTERM, SIGINT, SIGHUP]

    static func make(_ numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    /// Runs `body` with the handled signals blocked, so that a thread made in it never takes one.
    static func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
        var handled = make(handled)
        var previous = sigset_t()
        pthread_sigmask(SIG_BLOCK, &handled, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return body()
    }
}

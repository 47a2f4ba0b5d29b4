import Glibc

/// Takes the process's signals one by one on the thread that asks, usually the main thread.
package struct SignalWaiter: ~Copyable {
    /// What a signal means to a server.
    package enum Signal: Sendable, Equatable {
        /// `SIGTERM` or `SIGINT`: end in good order.
        case stop
        /// `SIGHUP`: read certificates and configuration again.
        case reload
    }

    private let set = SignalSet.make(SignalSet.handled)

    /// Blocks the signals in the calling thread and in all it starts, and ignores `SIGPIPE` and `SIGXFSZ` in
    /// the process: a file that may not grow any more is an error of the write, not the end of the server. Make it before the first thread.
    package init() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Sleeps until a signal comes. One that came before it was waited for is returned at once.
    package func next() -> Signal {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number == SIGHUP ? .reload : .stop
    }
}

import CLinux
import Glibc
import Reactor

/// How long one call may still wait, and what ends it early.
struct Patience {
    /// Of the clock that never goes back, milliseconds.
    let deadline: Int64
    /// Readable once the server stops.
    let stop: Int32

    init(milliseconds: Int64, stop: Int32) {
        deadline = Syscall.monotonicMilliseconds() + milliseconds
        self.stop = stop
    }

    private init(deadline: Int64, stop: Int32) {
        self.deadline = deadline
        self.stop = stop
    }

    /// The same, but for at most so long from now on.
    func cut(to milliseconds: Int64) -> Patience {
        Patience(deadline: min(deadline, Syscall.monotonicMilliseconds() + milliseconds), stop: stop)
    }

    enum Readiness {
        case reading
        case writing
    }

    /// Sleeps until the descriptor is ready, also for an error.
    /// - Throws: `timedOut`, or `unavailable` when the server stops.
    func wait(for readiness: Readiness, on descriptor: Int32) throws(OutboundError) {
        let events = Int16(readiness == .reading ? POLLIN : POLLOUT)
        while true {
            let left = deadline - Syscall.monotonicMilliseconds()
            guard left > 0 else { throw .timedOut }
            var watched = [
                pollfd(fd: descriptor, events: events, revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            do throws(SystemCallError) {
                guard try Syscall.poll(&watched, timeout: Int32(clamping: left)) > 0 else { continue }
            } catch {
                throw .unreachable(error.description)
            }
            guard watched[1].revents == 0 else { throw .unavailable }
            if watched[0].revents != 0 { return }
        }
    }
}

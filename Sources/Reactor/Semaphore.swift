import CLinux
import Glibc

/// A count of permits that threads may sleep on.
package final class Semaphore: Sendable {
    /// Guarded by itself: the system's semaphore may be used from all threads at once. It has an address of its own
    /// because it must not move.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    /// Starts without permits.
    package init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        precondition(sem_init(semaphore, 0, 0) == 0, "sem_init refuses only counts that are too large")
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Adds a permit. Any thread.
    package func signal() {
        precondition(sem_post(semaphore) == 0, "more permits than a semaphore can count")
    }

    /// Sleeps until there is a permit, and takes it.
    package func wait() {
        while sem_wait(semaphore) != 0 {
            precondition(errno == EINTR, "sem_wait fails only when interrupted")
        }
    }

    /// Sleeps until there is a permit, and takes it, or until the time is over.
    /// - Returns: whether there was a permit.
    package func wait(milliseconds: Int) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + (milliseconds % 1000) * 1_000_000
        end.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while sem_clockwait(semaphore, CLOCK_MONOTONIC, &end) != 0 {
            guard errno != ETIMEDOUT else { return false }
            precondition(errno == EINTR, "sem_clockwait fails only when interrupted or late")
        }
        return true
    }
}

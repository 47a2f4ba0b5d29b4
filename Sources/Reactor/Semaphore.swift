import Glibc

/// A count of permits that threads may sleep on.
final class Semaphore: Sendable {
    /// Guarded by itself: the system's semaphore may be used from all threads at once. It has an address of its own
    /// because it must not move.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    /// Starts without permits.
    init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        precondition(sem_init(semaphore, 0, 0) == 0, "sem_init refuses only counts that are too large")
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Adds a permit.
    func signal() {
        precondition(sem_post(semaphore) == 0, "more permits than a semaphore can count")
    }

    /// Sleeps until there is a permit, and takes it.
    func wait() {
        while sem_wait(semaphore) != 0 {
            precondition(errno == EINTR, "sem_wait fails only when interrupted")
        }
    }
}

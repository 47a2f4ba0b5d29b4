import CLinux
import Glibc

/// What to wait for on a descriptor. Errors and a complete hang-up are reported whatever the interest.
package struct Interest: OptionSet, Sendable {
    /// The bits.
    package let rawValue: UInt8
    /// From the bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Something to read, or the end of the stream.
    package static let read = Interest(rawValue: 1)
    /// Room to write.
    package static let write = Interest(rawValue: 2)
}

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    /// The bits.
    package let rawValue: UInt8
    /// From the bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading will not block.
    package static let read = Readiness(rawValue: 1)
    /// Writing will not block.
    package static let write = Readiness(rawValue: 2)
    /// The connection failed, or both directions have ended: nothing more will come or can go out.
    package static let hangUp = Readiness(rawValue: 4)
}

/// epoll(7), level-triggered. Descriptors are registered under a `SlotKey`, and events name that key and never the
/// descriptor: an event that was fetched before its descriptor was closed, and its number reused, finds no one.
struct Poller: ~Copyable {
    private let epoll: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    /// `batch` is how many events one wait takes.
    init(batch: Int) throws(SystemCallError) {
        epoll = try Syscall.makeEpoll()
        events = .allocate(capacity: batch)
        events.initialize(repeating: epoll_event())
    }

    deinit {
        events.deallocate()
        Syscall.close(epoll)
    }

    func add(_ descriptor: Int32, _ interest: Interest, as key: SlotKey) throws(SystemCallError) {
        try Syscall.control(epoll: epoll, EPOLL_CTL_ADD, descriptor, Self.event(interest, key))
    }

    func modify(_ descriptor: Int32, _ interest: Interest, as key: SlotKey) throws(SystemCallError) {
        try Syscall.control(epoll: epoll, EPOLL_CTL_MOD, descriptor, Self.event(interest, key))
    }

    /// Before the descriptor is closed.
    func remove(_ descriptor: Int32) throws(SystemCallError) {
        try Syscall.control(epoll: epoll, EPOLL_CTL_DEL, descriptor, epoll_event())
    }

    /// Sleeps at most `timeout` milliseconds (nil: until something happens) and fetches a batch of events. Returns how
    /// many; look at them with `event(_:)` before the next wait.
    func wait(timeout: Int?) throws(SystemCallError) -> Int {
        try Syscall.wait(epoll: epoll, events, timeout: timeout.map { Int32(clamping: $0) } ?? -1)
    }

    func event(_ index: Int) -> (key: SlotKey, readiness: Readiness) {
        let event = events[index]
        var readiness: Readiness = []
        if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.read) }
        if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.write) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.hangUp) }
        return (SlotKey(packed: event.data.u64), readiness)
    }

    private static func event(_ interest: Interest, _ key: SlotKey) -> epoll_event {
        var bits: UInt32 = 0
        if interest.contains(.read) { bits |= EPOLLIN.rawValue }
        if interest.contains(.write) { bits |= EPOLLOUT.rawValue }
        return epoll_event(events: bits, data: epoll_data_t(u64: key.packed))
    }
}

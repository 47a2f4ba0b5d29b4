import CLinux
import Glibc

/// Each system call once: interrupted calls are repeated, "would block" is a value, mistakes of the program trap, and
/// what can happen in production is thrown with the call's name. No function here blocks unless it says so.
package enum Syscall {
    /// What a non-blocking read or write did.
    package enum Transfer: Equatable, Sendable {
        /// So many bytes were moved; 0 from a read is the end of the stream.
        case bytes(Int)
        /// Nothing can be moved now.
        case wouldBlock
    }

    /// Reads what is there into `buffer`, which must not be empty.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Transfer {
        try transfer("read") { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Writes a beginning of `buffer`. For files, pipes and event counters; sockets use `send`.
    package static func write(
        _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer
    ) throws(SystemCallError) -> Transfer {
        try transfer("write") { Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Closes a descriptor, which must be open. Linux frees it even when it reports an error, so it is never repeated.
    package static func close(_ descriptor: Int32) {
        let result = Glibc.close(descriptor)
        precondition(result == 0 || errno != EBADF, "closed a descriptor twice")
    }

    /// A non-blocking event counter at 0 (eventfd(2)), which the caller must close.
    package static func makeEventCounter() throws(SystemCallError) -> Int32 {
        Int32(try call("eventfd") { Int(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))) })
    }

    /// Adds one to an event counter, which wakes whoever waits for it.
    package static func raise(_ counter: Int32) {
        var one: UInt64 = 1
        // A counter that is full is readable already.
        withUnsafeBytes(of: &one) { _ = try? write(counter, $0) }
    }

    /// Waits until something can be read, or for so long, or for a signal (poll(2)).
    static func waitForInput(on descriptor: Int32, milliseconds: Int) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&wanted, 1, Int32(clamping: milliseconds))
    }

    static func makeEpoll() throws(SystemCallError) -> Int32 {
        Int32(try call("epoll_create1") { Int(epoll_create1(Int32(EPOLL_CLOEXEC))) })
    }

    static func control(
        epoll: Int32, _ operation: Int32, _ descriptor: Int32, _ event: epoll_event
    ) throws(SystemCallError) {
        var event = event
        _ = try call("epoll_ctl") { Int(epoll_ctl(epoll, operation, descriptor, &event)) }
    }

    /// Sleeps for `timeout` milliseconds, -1 for ever. Returns the number of events; 0 also when a signal came first.
    static func wait(
        epoll: Int32, _ events: UnsafeMutableBufferPointer<epoll_event>, timeout: Int32
    ) throws(SystemCallError) -> Int {
        let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)
        guard count < 0 else { return Int(count) }
        guard errno == EINTR else { throw failure("epoll_wait", errno) }
        return 0
    }

    /// Milliseconds of the clock that never goes back. Any thread.
    package static func monotonicMilliseconds() -> Int64 {
        monotonicNanoseconds() / 1_000_000
    }

    /// Nanoseconds of the clock that never goes back. Any thread.
    package static func monotonicNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Seconds since 1970. Any thread.
    package static func unixSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Repeats while a signal interrupts; a negative result is thrown.
    static func call(_ name: StaticString, _ body: () -> Int) throws(SystemCallError) -> Int {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw failure(name, number) }
        }
    }

    static func transfer(_ name: StaticString, _ body: () -> Int) throws(SystemCallError) -> Transfer {
        while true {
            let result = body()
            if result >= 0 { return .bytes(result) }
            let number = errno
            if number == EAGAIN || number == EWOULDBLOCK { return .wouldBlock }
            if number != EINTR { throw failure(name, number) }
        }
    }

    /// Traps for what only a mistake of ours can cause; going on would corrupt somebody else's connection.
    static func failure(_ name: StaticString, _ number: Int32) -> SystemCallError {
        precondition(number != EBADF && number != EFAULT, "\(name) was called with a bad descriptor or address")
        return SystemCallError(call: name.description, number: number)
    }
}

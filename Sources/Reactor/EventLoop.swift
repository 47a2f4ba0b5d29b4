import CLinux
import Glibc

/// Is told when its descriptor is ready.
package protocol ReadinessHandler: AnyObject {
    /// Called on the loop's thread. Reading or writing until it would block is not required: readiness is reported again
    /// as long as it lasts.
    func ready(_ readiness: Readiness)
}

/// Waits for descriptors, mailboxes and timers, and runs what they ask for, one thing at a time.
///
/// One thread makes it, runs it and is the only one to touch it; being no `Sendable` it cannot leave. Others reach it
/// through a `Mailbox`.
package final class EventLoop {
    private struct Registration {
        let descriptor: Int32
        var interest: Interest
        let handler: any ReadinessHandler
    }

    private let poller: Poller
    private var registrations = SlotTable<Registration>()
    private var timers: TimerWheel<() -> Void>
    private var beforeSleep: [() -> Void] = []
    private var isStopping = false

    /// Milliseconds of the monotonic clock, read once per turn.
    package private(set) var now: Int64

    /// Throws when the process has no descriptors left.
    package init() throws(SystemCallError) {
        poller = try Poller(batch: 512)
        now = Syscall.monotonicMilliseconds()
        timers = TimerWheel(now: now)
    }

    // MARK: Descriptors

    /// Watches a descriptor, which stays the caller's to close after `unregister`. The handler is kept until then.
    package func register(
        _ descriptor: Int32, _ interest: Interest, _ handler: any ReadinessHandler
    ) throws(SystemCallError) -> SlotKey {
        let key = registrations.insert(
            Registration(descriptor: descriptor, interest: interest, handler: handler))
        do {
            try poller.add(descriptor, interest, as: key)
        } catch {
            registrations.remove(key)
            throw error
        }
        return key
    }

    /// Changes what the descriptor is watched for; costs nothing when that is the same.
    package func setInterest(_ interest: Interest, of key: SlotKey) {
        guard var registration = registrations[key], registration.interest != interest else { return }
        registration.interest = interest
        registrations.update(key, registration)
        do {
            try poller.modify(registration.descriptor, interest, as: key)
        } catch {
            // epoll_ctl(2): a change of a registered descriptor can only fail for want of kernel memory.
            fatalError("\(error)")
        }
    }

    /// Stops watching, before the descriptor is closed. Events already fetched for it are dropped.
    package func unregister(_ key: SlotKey) {
        guard let registration = registrations.remove(key) else { return }
        do {
            try poller.remove(registration.descriptor)
        } catch {
            preconditionFailure("a registered descriptor was closed before it was unregistered: \(error)")
        }
    }

    /// Hands the mailbox's messages to `receive`, a batch at a time, until the loop ends. Closes it then.
    package func attach<Message: Sendable>(
        _ mailbox: Mailbox<Message>, receive: @escaping ([Message]) -> Void
    ) throws(SystemCallError) {
        _ = try register(mailbox.descriptor, .read, MailboxReader(mailbox, receive))
    }

    // MARK: Time

    /// Runs `body` once, at the earliest after `milliseconds` and a few milliseconds late at most.
    @discardableResult
    package func after(milliseconds: Int, _ body: @escaping () -> Void) -> TimerID {
        timers.arm(deadline: now + Int64(max(milliseconds, 0)), body)
    }

    /// Forgets a timer. It does not fire any more, not even in the turn that goes on.
    package func cancel(_ timer: TimerID) {
        timers.remove(timer)
    }

    // MARK: Running

    /// Adds something to do at the end of each turn, before the loop sleeps: the place to write what the turn queued.
    package func addBeforeSleep(_ body: @escaping () -> Void) {
        beforeSleep.append(body)
    }

    /// Turns until `stop`. Then closes the mailboxes and lets go of all handlers and timers.
    package func run() {
        defer { end() }
        while !isStopping { turn() }
    }

    /// Lets `run` return after the present turn.
    package func stop() {
        isStopping = true
    }

    private func turn() {
        for body in beforeSleep { body() }
        guard !isStopping else { return }
        let events: Int
        do {
            let timeout = timers.nextDeadline.map { Int(max($0 - Syscall.monotonicMilliseconds(), 0)) }
            events = try poller.wait(timeout: timeout)
        } catch {
            fatalError("\(error)")
        }
        now = Syscall.monotonicMilliseconds()
        for index in 0..<events {
            let (key, readiness) = poller.event(index)
            registrations[key]?.handler.ready(readiness)
        }
        for timer in timers.due(now: now) {
            timers.remove(timer)?()
        }
    }

    private func end() {
        for registration in registrations.elements {
            (registration.handler as? any Closable)?.close()
        }
        registrations = SlotTable()
        timers = TimerWheel(now: now)
        beforeSleep = []
    }
}

private protocol Closable {
    func close()
}

private final class MailboxReader<Message: Sendable>: ReadinessHandler, Closable {
    private let mailbox: Mailbox<Message>
    private let receive: ([Message]) -> Void

    init(_ mailbox: Mailbox<Message>, _ receive: @escaping ([Message]) -> Void) {
        self.mailbox = mailbox
        self.receive = receive
    }

    func ready(_ readiness: Readiness) {
        let messages = mailbox.drain()
        if !messages.isEmpty { receive(messages) }
    }

    func close() {
        mailbox.close()
    }
}

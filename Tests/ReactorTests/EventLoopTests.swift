import CLinux
import Glibc
import Synchronization
import Testing

@testable import Reactor

@Suite struct EventLoopTests {
    @Test func anEventFetchedForAClosedDescriptorDoesNotReachItsSuccessor() throws {
        let loop = try EventLoop()
        let (first, firstEnd) = try socketPair()
        let (second, secondEnd) = try socketPair()
        let (spare, spareEnd) = try socketPair()
        defer { for descriptor in [first, firstEnd, secondEnd, spareEnd] { Syscall.close(descriptor) } }
        // Both are readable at once; whichever is called first gives the other's number to a new, silent connection.
        let calls = Recorder()
        let victim = Handler { _ in calls.add("second") }
        let victimKey = try loop.register(second, .read, victim)
        let successor = Handler { _ in calls.add("successor") }
        let firstKey = Holder<SlotKey>()
        let killer = Handler { _ in
            calls.add("first")
            guard calls.count == 1 else { return }
            loop.unregister(victimKey)
            #expect(dup2(spare, second) == second)
            firstKey.value = try? loop.register(second, .read, successor)
            loop.after(milliseconds: 1) { loop.stop() }
        }
        let killerKey = try loop.register(first, .read, killer)
        // epoll reports in the order in which descriptors became ready.
        for end in [firstEnd, secondEnd] { try send("x", to: end) }
        loop.run()
        #expect(calls.names.first == "first")
        #expect(!calls.names.contains("second"))
        #expect(!calls.names.contains("successor"))
        _ = killerKey
        Syscall.close(second)
        Syscall.close(spare)
    }

    @Test func interestDecidesWhatIsReported() throws {
        let loop = try EventLoop()
        let (near, far) = try socketPair()
        defer { for descriptor in [near, far] { Syscall.close(descriptor) } }
        try send("x", to: far)
        var seen: [Readiness] = []
        let key = Holder<SlotKey>()
        let handler = Handler { readiness in
            seen.append(readiness)
            guard let key = key.value else { return }
            loop.setInterest(seen.count == 1 ? .write : [.read, .write], of: key)
            if seen.count == 3 { loop.stop() }
        }
        key.value = try loop.register(near, .read, handler)
        loop.run()
        #expect(seen == [.read, .write, [.read, .write]])
    }

    @Test func aVanishedPeerIsAHangUpEvenWithoutInterest() throws {
        let loop = try EventLoop()
        let (near, far) = try socketPair()
        defer { Syscall.close(near) }
        var seen: Readiness = []
        let handler = Handler { readiness in
            seen = readiness
            loop.stop()
        }
        _ = try loop.register(near, [], handler)
        Syscall.close(far)
        loop.run()
        #expect(seen.contains(.hangUp))
    }

    @Test func timersRunInOrderAndACancelledOneNever() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        loop.after(milliseconds: 8) { fired.append(2) }
        let doomed = loop.after(milliseconds: 4) { fired.append(0) }
        loop.after(milliseconds: 1) {
            fired.append(1)
            loop.cancel(doomed)
        }
        loop.after(milliseconds: 12) { loop.stop() }
        loop.run()
        #expect(fired == [1, 2])
    }

    @Test func theHookRunsOnceAfterAllThatATurnBrought() throws {
        let loop = try EventLoop()
        let mailbox = try Mailbox<Int>()
        var log: [String] = []
        try loop.attach(mailbox) { messages in
            log.append("received \(messages)")
            loop.stop()
        }
        loop.addBeforeSleep { log.append("hook") }
        mailbox.post(1)
        mailbox.post(2)
        loop.run()
        #expect(log == ["hook", "received [1, 2]"])
    }

    @Test func messagesOfManyThreadsAllArriveEachThreadsInOrder() throws {
        let mailbox = try Mailbox<(thread: Int, number: Int)>()
        let batches = Mutex<[[(thread: Int, number: Int)]]>([])
        let reader = try Thread(name: "loop") {
            guard let loop = try? EventLoop() else { return }
            var count = 0
            try? loop.attach(mailbox) { messages in
                batches.withLock { $0.append(messages) }
                count += messages.count
                if count == 40_000 { loop.stop() }
            }
            loop.run()
        }
        let senders = try (0..<4).map { thread in
            try Thread(name: "sender") {
                for number in 0..<10_000 { mailbox.post((thread, number)) }
            }
        }
        for thread in senders + [reader] { thread.join() }
        let received = batches.withLock { $0.flatMap { $0 } }
        for thread in 0..<4 {
            #expect(received.filter { $0.thread == thread }.map(\.number) == Array(0..<10_000))
        }
    }

    @Test func onlyTheFirstMessageOfABatchWakesTheLoop() throws {
        let mailbox = try Mailbox<Int>()
        for number in 0..<3 { mailbox.post(number) }
        var wakeUps: UInt64 = 0
        let read = try withUnsafeMutableBytes(of: &wakeUps) { try Syscall.read(mailbox.descriptor, into: $0) }
        #expect(read == .bytes(8))
        #expect(wakeUps == 1)
        #expect(mailbox.drain() == [0, 1, 2])
        #expect(mailbox.drain() == [])
    }

    @Test func aMailboxOfALoopThatEndedDropsWhatComes() throws {
        let mailbox = try Mailbox<Recorder>()
        let loop = try EventLoop()
        try loop.attach(mailbox) { _ in }
        loop.stop()
        loop.run()
        weak var message: Recorder?
        do {
            let recorder = Recorder()
            message = recorder
            mailbox.post(recorder)
        }
        #expect(message == nil)
    }

    @Test func aPendingSignalIsHandedOut() throws {
        let signals = Mutex<[SignalWaiter.Signal]>([])
        try Thread(name: "signals") {
            let waiter = SignalWaiter()
            pthread_kill(pthread_self(), SIGHUP)
            let first = waiter.next()
            pthread_kill(pthread_self(), SIGTERM)
            let second = waiter.next()
            signals.withLock { $0 = [first, second] }
        }.join()
        #expect(signals.withLock { $0 } == [.reload, .stop])
    }
}

private final class Handler: ReadinessHandler {
    private let body: (Readiness) -> Void
    init(_ body: @escaping (Readiness) -> Void) { self.body = body }
    func ready(_ readiness: Readiness) { body(readiness) }
}

private final class Holder<Value> {
    var value: Value?
}

private final class Recorder: Sendable {
    private let log = Mutex<[String]>([])
    func add(_ name: String) { log.withLock { $0.append(name) } }
    var names: [String] { log.withLock { $0 } }
    var count: Int { names.count }
}

private func socketPair() throws -> (Int32, Int32) {
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
    return (pair[0], pair[1])
}

private func send(_ text: String, to descriptor: Int32) throws {
    let sent = try [UInt8](text.utf8).withUnsafeBytes { try Syscall.send(descriptor, $0) }
    #expect(sent == .bytes(text.utf8.count))
}

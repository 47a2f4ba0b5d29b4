import Domain
import Reactor
import Synchronization
import Testing

@testable import Storage

@Suite struct StoreWatchTests {
    let folder = TemporaryFolder()

    /// What was announced, and how often the watch looked.
    private final class Seen: Sendable {
        let events = Mutex<[String]>([])
        let looks = WorkQueue<Bool>(capacity: 100_000)

        @Sendable func publish(_ events: [CommittedEvent], _ release: @escaping @Sendable () -> Void) {
            self.events.withLock { $0 += events.map(\.id) }
            release()
        }
    }

    @Test func `a watch looks once at the start and after each change of anybody`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let beside = try Store.test(in: folder, exclusive: false)
        defer { beside.close() }
        let seen = Seen()
        let watch = try StoreWatch(store, milliseconds: 1) { session throws(APIError) in
            _ = try session.notes()
            _ = seen.looks.push(true)
        }
        defer { watch.stop() }
        _ = seen.looks.pop()
        for writer in [store, beside] {
            try writer.insert("note of \(writer === store)")
            _ = seen.looks.pop()
        }
        #expect(seen.looks.count == 0)
    }

    @Test func `a look that fails is repeated`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let seen = Seen()
        let failures = Mutex(0)
        let watch = try StoreWatch(store, milliseconds: 1) { _ throws(APIError) in
            let count = failures.withLock {
                $0 += 1
                return $0
            }
            _ = seen.looks.push(true)
            if count < 3 { throw .internal("not now") }
        }
        defer { watch.stop() }
        for _ in 0..<3 { _ = seen.looks.pop() }
        #expect(failures.withLock { $0 } == 3)
    }

    @Test func `events of another program are announced once, before anything that follows`() throws {
        let seen = Seen()
        let store = try Store.test(in: folder, afterCommit: seen.publish)
        defer { store.close() }
        let beside = try Store.test(in: folder, exclusive: false)
        defer { beside.close() }
        try store.announce("1")
        for number in 2...4 { try beside.announce("\(number)") }
        #expect(seen.events.withLock { $0 } == ["1"])
        try store.announce("5")
        #expect(seen.events.withLock { $0 } == ["1", "2", "3", "4", "5"])
        try store.writer.perform { _ in }
        #expect(seen.events.withLock { $0 }.count == 5)
        // More than are read at a time.
        try beside.writer.perform { session throws(APIError) in
            for number in 0..<1201 { try session.announce("many \(number)", in: .lobby) }
        }
        try store.writer.perform { _ in }
        #expect(seen.events.withLock { $0 }.dropFirst(5).elementsEqual((0..<1201).map { "many \($0)" }))
    }

    @Test func `what a lane remembers is made anew for another version, and after a unit that failed`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let made = Mutex(0)
        let read = { @Sendable (session: inout Session, version: Int64) throws(APIError) -> Int in
            try session.remembered("x", version: version) { _ in
                made.withLock {
                    $0 += 1
                    return $0
                }
            }
        }
        let values = try store.writer.perform { session throws(APIError) in
            [try read(&session, 1), try read(&session, 1), try read(&session, 2), try read(&session, 2)]
        }
        #expect(values == [1, 1, 2, 2])
        #expect(throws: APIError.self) {
            try store.writer.perform { session throws(APIError) in
                _ = try read(&session, 3)
                throw APIError.internal("taken back")
            }
        }
        #expect(try store.writer.perform { session throws(APIError) in try read(&session, 3) } == 4)
        let lane = try store.makeReadLane()
        for _ in 0..<2 {
            let value = try lane.read(budgetMilliseconds: nil) { session throws(APIError) in try read(&session, 3) }
            #expect(value == 5, "each lane has its own")
        }
    }
}

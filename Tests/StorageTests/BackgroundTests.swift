import Domain
import Reactor
import Synchronization
import Testing

@testable import Storage

@Suite struct BackgroundTests {
    let folder = TemporaryFolder()

    /// What steps met, and failures that were reported.
    private final class Diary: Sendable {
        let found = WorkQueue<Int>(capacity: 100)
        let failures = WorkQueue<String>(capacity: 100)
        let calls = Atomic(0)
    }

    private func store() throws -> Store {
        let store = try Store.test(in: folder)
        try store.writer.perform { session throws(APIError) in
            try session.run("CREATE TABLE IF NOT EXISTS task (id INTEGER PRIMARY KEY)")
        }
        return store
    }

    /// Takes one task at a time.
    private func start(_ store: Store, _ diary: Diary) throws -> Background {
        let step: Background.Step = { lane, writer throws(APIError) in
            diary.calls.add(1, ordering: .relaxed)
            let task = try lane.read(budgetMilliseconds: nil) { session throws(APIError) in
                try session.first("SELECT id FROM task ORDER BY id LIMIT 1") { $0.int(0) }
            }
            guard let task else { return false }
            if task == 13, diary.failures.count == 0 { throw .unavailable("unlucky") }
            try writer.perform { session throws(APIError) in
                try session.run("DELETE FROM task WHERE id = ?1", .int(task))
            }
            _ = diary.found.push(task)
            return true
        }
        return try store.background(
            name: "test", failed: { _ = diary.failures.push($0.detail ?? $0.reason) }, step: step)
    }

    @Test func `a unit that wakes the work has it find what the unit wrote`() throws {
        let (store, diary) = (try store(), Diary())
        let work = try start(store, diary)
        for task in 101...120 {
            try store.writer.perform { session throws(APIError) in
                // Long before the commit.
                work.wake()
                try session.run("INSERT INTO task (id) VALUES (?1)", .int(task))
            }
            #expect(diary.found.pop() == task)
        }
        work.stop()
        store.close()
        #expect(diary.failures.count == 0)
    }

    @Test func `a unit that is taken back leaves nothing to do`() throws {
        let (store, diary) = (try store(), Diary())
        let work = try start(store, diary)
        #expect(throws: APIError.self) {
            try store.writer.perform { session throws(APIError) in
                work.wake()
                try session.run("INSERT INTO task (id) VALUES (1)")
                throw .internal("no")
            }
        }
        try store.writer.perform { session throws(APIError) in
            try session.run("INSERT INTO task (id) VALUES (2)")
            work.wake()
        }
        #expect(diary.found.pop() == 2)
        work.stop()
        store.close()
    }

    @Test func `a step that fails is reported and tried again`() throws {
        let (store, diary) = (try store(), Diary())
        try store.writer.perform { session throws(APIError) in
            try session.run("INSERT INTO task (id) VALUES (13), (14)")
        }
        let work = try start(store, diary)
        work.wake()
        #expect(diary.found.pop() == 13)
        #expect(diary.found.pop() == 14)
        #expect(diary.failures.pop() == "unlucky")
        work.stop()
        store.close()
    }

    @Test func `what is left at the end is done by the next`() throws {
        let (store, diary) = (try store(), Diary())
        let work = try start(store, diary)
        work.stop()
        work.stop()
        work.wake()
        try store.writer.perform { session throws(APIError) in
            try session.run("INSERT INTO task (id) VALUES (5)")
        }
        #expect(diary.calls.load(ordering: .relaxed) == 0)
        let next = try start(store, diary)
        next.wake()
        #expect(diary.found.pop() == 5)
        next.stop()
        store.close()
    }
}

import Domain
import Reactor
import Testing

@testable import Storage

@Suite struct OffloadTests {
    let folder = TemporaryFolder()

    @Test func `a long read is answered from another thread`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("a")
        let answers = Answer<[String]>()
        store.offload.submit { s throws(APIError) in
            try s.notes()
        } completion: {
            answers.add($0)
        }
        #expect(try answers.wait(for: 1).first?.get() == ["a"])
    }

    @Test func `a read longer than the offload budget is unavailable, not sent round again`() throws {
        var options = StoreOptions()
        options.offloadBudgetMilliseconds = 2
        let store = try Store.test(in: folder, options: options)
        defer { store.close() }
        let answers = Answer<Bool>()
        store.offload.submit { session throws(APIError) in
            try session.runAway()
            return true
        } completion: {
            answers.add($0)
        }
        let error = answers.wait(for: 1).first?.failure
        #expect(error?.code == "unavailable")
        #expect(error?.reroute == nil)
    }

    @Test func `a write asks for the writer`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let answers = Answer<Bool>()
        store.offload.submit { session throws(APIError) in
            try session.insertNote("a")
            return true
        } completion: {
            answers.add($0)
        }
        #expect(answers.wait(for: 1).first?.failure == .needsWrite)
    }

    @Test func `one long read does not hold up the next, and the queue refuses one too many`() throws {
        var options = StoreOptions()
        options.offloadQueueLimit = 2
        let store = try Store.test(in: folder, options: options)
        let entered = WorkQueue<Bool>(capacity: 8)
        let keys = WorkQueue<Bool>(capacity: 8)
        let answers = Answer<Int>()
        for index in 0..<2 {
            store.offload.submit { _ in
                _ = entered.push(true)
                _ = keys.pop()
                return index
            } completion: {
                answers.add($0)
            }
            // Both threads are busy at the same time, so the second was not behind the first.
            _ = entered.pop()
        }
        for index in 2..<5 {
            store.offload.submit { _ in
                index
            } completion: {
                answers.add($0)
            }
        }
        #expect(answers.count == 1, "the third that waits is refused at once")
        #expect(answers.wait(for: 1).first?.failure?.code == "unavailable")
        for _ in 0..<2 { _ = keys.push(true) }
        store.close()
        #expect(answers.count == 5, "closing finishes what waits")
        store.offload.submit { _ in
            9
        } completion: {
            answers.add($0)
        }
        #expect(answers.wait(for: 6).last?.failure?.code == "unavailable")
    }
}

import Synchronization
import Testing

@testable import Reactor

@Suite struct WorkQueueTests {
    @Test func itemsComeOutInTheOrderTheyWentIn() {
        let queue = WorkQueue<Int>(capacity: 10)
        for item in 0..<4 { #expect(queue.push(item)) }
        #expect(queue.pop() == 0)
        #expect(queue.push(4))
        #expect(queue.pop() == 1)
        #expect(queue.popAll() == [2, 3, 4])
        #expect(queue.count == 0)
    }

    @Test func takesAsManyAsItsCapacityAndRefusesOneMore() {
        let queue = WorkQueue<Int>(capacity: 2)
        #expect(queue.push(1))
        #expect(queue.push(2))
        #expect(!queue.push(3))
        #expect(queue.pop() == 1)
        #expect(queue.push(4))
        #expect(queue.popAll() == [2, 4])
    }

    @Test func closingRefusesNewItemsAndStillHandsOutTheOldOnes() {
        let queue = WorkQueue<Int>(capacity: 2)
        #expect(queue.push(1))
        queue.close()
        queue.close()
        #expect(!queue.push(2))
        #expect(queue.popAll() == [1])
        #expect(queue.popAll() == [])
        #expect(queue.pop() == nil)
    }

    @Test func closingWakesEverySleepingWorker() throws {
        let queue = WorkQueue<Int>(capacity: 2)
        let workers = try (0..<3).map { number in
            try Thread(name: "sleeper \(number)") { #expect(queue.pop() == nil) }
        }
        queue.close()
        for worker in workers { worker.join() }
    }

    @Test func everyItemReachesExactlyOneWorker() throws {
        let queue = WorkQueue<Int>(capacity: 100_000)
        let seen = Mutex<[Int]>([])
        let workers = try (0..<3).map { number in
            try Thread(name: "worker \(number)") {
                while let item = queue.pop() { seen.withLock { $0.append(item) } }
            }
        }
        let producers = try (0..<4).map { number in
            try Thread(name: "producer \(number)") {
                for item in 0..<5000 { #expect(queue.push(number * 5000 + item)) }
            }
        }
        for producer in producers { producer.join() }
        queue.close()
        for worker in workers { worker.join() }
        #expect(seen.withLock { $0.sorted() } == Array(0..<20_000))
    }
}

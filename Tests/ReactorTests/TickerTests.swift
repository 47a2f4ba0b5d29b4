import Synchronization
import Testing

@testable import Reactor

@Suite struct TickerTests {
    @Test func `it runs again and again until it is stopped`() throws {
        let runs = WorkQueue<Bool>(capacity: 1_000_000)
        let ticker = try Ticker(name: "test", milliseconds: 1) {
            { _ = runs.push(true) }
        }
        for _ in 0..<3 { _ = runs.pop() }
        ticker.stop()
        let count = runs.count
        ticker.stop()
        #expect(runs.count == count)
    }

    @Test func `stopping does not wait for the next run`() throws {
        let runs = WorkQueue<Bool>(capacity: 10)
        let ticker = try Ticker(name: "test", milliseconds: 3_600_000) {
            { _ = runs.push(true) }
        }
        _ = runs.pop()
        ticker.stop()
        #expect(runs.count == 0)
    }
}

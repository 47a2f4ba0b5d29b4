import Reactor
import Testing

@Suite struct SemaphoreTests {
    @Test func aPermitEndsTheWait() {
        let semaphore = Semaphore()
        semaphore.signal()
        #expect(semaphore.wait(milliseconds: 60_000))
        #expect(!semaphore.wait(milliseconds: 0))
    }

    @Test func aPermitThatComesLaterEndsTheWaitToo() throws {
        let semaphore = Semaphore()
        let thread = try Thread(name: "signal") { semaphore.signal() }
        #expect(semaphore.wait(milliseconds: 60_000))
        thread.join()
    }

    @Test func withoutAPermitTheTimeEndsIt() {
        let semaphore = Semaphore()
        #expect(!semaphore.wait(milliseconds: 1))
        semaphore.signal()
        semaphore.signal()
        #expect(semaphore.wait(milliseconds: 1999) && semaphore.wait(milliseconds: 1))
    }
}

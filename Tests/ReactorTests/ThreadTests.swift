import Glibc
import Synchronization
import Testing

@testable import Reactor

@Suite struct ThreadTests {
    @Test func runsItsBodyUnderItsName() throws {
        let name = Mutex("")
        let thread = try Thread(name: "a name of more than fifteen bytes") {
            let text = (try? threadName()) ?? "?"
            name.withLock { $0 = text }
        }
        thread.join()
        thread.join()
        #expect(name.withLock { $0 } == "a name of more ")
    }

    @Test func blocksTheSignalsThatStopTheServer() throws {
        let blocked = Mutex<[Bool]>([])
        try Thread(name: "masked") {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            let numbers = [SIGTERM, SIGINT, SIGHUP].map { sigismember(&mask, $0) == 1 }
            blocked.withLock { $0 = numbers }
        }.join()
        #expect(blocked.withLock { $0 } == [true, true, true])
    }
}

/// The name the kernel knows the calling thread by.
private func threadName() throws -> String {
    let file = try #require(fopen("/proc/thread-self/comm", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    try #require(fgets(&line, 64, file) != nil)
    let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
}

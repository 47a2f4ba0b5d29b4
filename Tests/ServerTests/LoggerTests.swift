import CLinux
import Glibc
import Reactor
import Testing

@testable import Server

@Suite struct LoggerTests {
    private func line(_ format: Logger.Format, _ fields: KeyValuePairs<StaticString, LogValue>) -> String {
        let logger = Logger(level: .info, format: format)
        let bytes = logger.line(.warning, "slow request", fields, unixMilliseconds: 1_769_860_800_007)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func textLinesQuoteOnlyWhatNeedsIt() {
        #expect(
            line(.text, ["path": .string("/a"), "agent": .string("x y\n\"z\""), "ms": .int(12), "secure": .bool(true)])
                == "2026-01-31T12:00:00.007Z warning slow request path=/a agent=\"x y\\n\\\"z\\\"\" ms=12 secure=true\n"
        )
    }

    @Test func jsonLinesAreJSON() {
        #expect(
            line(.json, ["path": .string("/a\u{1}é"), "ms": .int(-1)])
                == "{\"time\":\"2026-01-31T12:00:00.007Z\",\"level\":\"warning\",\"message\":\"slow request\","
                + "\"path\":\"/a\\u0001é\",\"ms\":-1}\n")
    }

    @Test func onlyLevelsFromTheChosenOneOnAreWritten() throws {
        var pipe: [Int32] = [0, 0]
        try #require(pipe2(&pipe, O_NONBLOCK) == 0)
        defer { for descriptor in pipe { Syscall.close(descriptor) } }
        let logger = Logger(level: .notice, format: .text, descriptor: pipe[1])
        logger.log(.info, "unseen")
        logger.log(.notice, "seen")
        var buffer = [UInt8](repeating: 0, count: 200)
        let read = try buffer.withUnsafeMutableBytes { try Syscall.read(pipe[0], into: $0) }
        guard case .bytes(let count) = read else {
            Issue.record("nothing written")
            return
        }
        #expect(String(decoding: buffer.prefix(count), as: UTF8.self).hasSuffix("notice seen\n"))
        #expect(Logger.Level(name: "error") == .error)
        #expect(Logger.Level(name: "loud") == nil)
    }
}

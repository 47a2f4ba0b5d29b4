import Bytes
import Glibc
import Reactor

/// What a log line can say beside its message.
package enum LogValue: Sendable, Equatable {
    case string(String)
    case int(Int)
    case bool(Bool)
}

/// Writes log lines: a fixed message and fields, as text or JSON. One write(2) per line, so that lines of threads and
/// processes do not mix. Any thread; may block when what reads the log does.
package struct Logger: Sendable {
    /// How much a line matters.
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug
        case info
        case notice
        case warning
        case error

        /// As it is written and configured.
        package var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .notice: "notice"
            case .warning: "warning"
            case .error: "error"
            }
        }

        /// From its name.
        package init?(name: String) {
            guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }

        /// By how much they matter.
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How lines look.
    package enum Format: String, Sendable {
        /// `2026-01-31T12:00:00.000Z info message key=value`
        case text
        /// One JSON object per line, with `time`, `level`, `message` and the fields.
        case json
    }

    /// Lines below it are not written.
    package let level: Level
    private let format: Format
    private let descriptor: Int32

    /// `descriptor` stays the caller's; 2 is standard error.
    package init(level: Level, format: Format, descriptor: Int32 = 2) {
        self.level = level
        self.format = format
        self.descriptor = descriptor
    }

    /// Writes a line, unless its level is too low. The message is a constant; what varies goes into fields.
    package func log(
        _ level: Level, _ message: StaticString, _ fields: KeyValuePairs<StaticString, LogValue> = [:]
    ) {
        guard level >= self.level else { return }
        let line = line(level, message, fields, unixMilliseconds: Self.unixMilliseconds())
        // There is nobody to tell when the log itself fails.
        line.withUnsafeBytes { _ = try? Syscall.write(descriptor, $0) }
    }

    /// The bytes of a line with its end.
    func line(
        _ level: Level, _ message: StaticString, _ fields: KeyValuePairs<StaticString, LogValue>,
        unixMilliseconds: Int64
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        let time = Self.timestamp(unixMilliseconds)
        switch format {
        case .text:
            line.append(contentsOf: "\(time) \(level.name) \(message)".utf8)
            for (key, value) in fields {
                line.append(contentsOf: " \(key)=".utf8)
                Self.append(value, needsQuotes: Self.needsQuotes, to: &line)
            }
        case .json:
            line.append(contentsOf: "{\"time\":\"\(time)\",\"level\":\"\(level.name)\",\"message\":".utf8)
            Self.appendQuoted(message.description, to: &line)
            for (key, value) in fields {
                line.append(contentsOf: ",\"\(key)\":".utf8)
                Self.append(value, needsQuotes: { _ in true }, to: &line)
            }
            line.append(contentsOf: "}".utf8)
        }
        line.append(ASCII.lineFeed)
        return line
    }

    private static func append(_ value: LogValue, needsQuotes: (String) -> Bool, to line: inout [UInt8]) {
        switch value {
        case .string(let text) where needsQuotes(text): appendQuoted(text, to: &line)
        case .string(let text): line.append(contentsOf: text.utf8)
        case .int(let number): line.append(contentsOf: String(number).utf8)
        case .bool(let flag): line.append(contentsOf: (flag ? "true" : "false").utf8)
        }
    }

    private static func needsQuotes(_ text: String) -> Bool {
        text.isEmpty || text.utf8.contains { $0 <= ASCII.space || $0 == ASCII.quote || $0 == ASCII.equals }
    }

    /// As JSON does it, so that no value can begin a line of its own.
    private static func appendQuoted(_ text: String, to line: inout [UInt8]) {
        line.append(ASCII.quote)
        for byte in text.utf8 {
            switch byte {
            case ASCII.quote, 0x5C:
                line.append(0x5C)
                line.append(byte)
            case ASCII.lineFeed:
                line.append(contentsOf: "\\n".utf8)
            case 0..<0x20, ASCII.delete:
                line.append(contentsOf: "\\u00".utf8)
                line.append(Hex.digit(byte >> 4))
                line.append(Hex.digit(byte & 15))
            default:
                line.append(byte)
            }
        }
        line.append(ASCII.quote)
    }

    private static func unixMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// For example `2026-01-31T12:00:00.000Z`.
    private static func timestamp(_ unixMilliseconds: Int64) -> String {
        var seconds = time_t(unixMilliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(width - digits.count, 0)) + digits
        }
        let date = [
            padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
        ].joined(separator: "-")
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
        return "\(date)T\(time).\(padded(Int(unixMilliseconds % 1000), 3))Z"
    }
}

import Glibc
import Testing

/// One input and what must come out of it.
struct RenderCase: CustomTestStringConvertible, Sendable {
    var source: String
    var html: String
    var testDescription: String { source.debugDescription }

    /// The cases in `cases/` beside this file: a line with the source, a line with `= ` and the result, an empty line. In
    /// both, `⏎` stands for a line feed, `⇥` for a tab, and `␀` for U+0000.
    static let all: [RenderCase] = ["plain", "markdown", "html", "links", "hostile"].flatMap(load)

    private static func load(_ name: String) -> [RenderCase] {
        let here = #filePath
        let folder = here[..<(here.lastIndex(of: "/") ?? here.endIndex)]
        return read("\(folder)/cases/\(name).txt").split(separator: "\n\n").compactMap { entry in
            let lines = entry.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count >= 2, lines[1].hasPrefix("= ") || lines[1] == "=" else { return nil }
            return RenderCase(source: unescaped(lines[0]), html: unescaped(lines[1].dropFirst(2)))
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "⏎": result.append("\n")
            case "⇥": result.append("\t")
            case "␀": result.append("\0")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func read(_ path: String) -> String {
        guard let file = fopen(path, "rb") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
}

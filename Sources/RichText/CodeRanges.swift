import Bytes

/// Where Markdown code stands in a source: whole fenced blocks and code spans, in order.
struct CodeRanges {
    struct Code {
        var range: Range<Int>
        var isFence: Bool
    }

    private(set) var all: [Code] = []

    /// Linear in the size of `bytes`.
    init(_ bytes: [UInt8]) {
        guard bytes.contains(UInt8(ascii: "`")) || bytes.contains(UInt8(ascii: "~")) else { return }
        let lines = Self.lines(of: bytes)
        var runs: [Run] = []
        var paragraph = 0
        var index = 0
        let closable = Self.longestClosers(lines)
        while index < lines.count {
            let line = lines[index]
            if line.opensFence, closable[index + 1][line.isTilde ? 1 : 0] >= line.fence {
                var end = index + 1
                while !lines[end].closes(line) { end += 1 }
                all.append(Code(range: line.range.lowerBound..<lines[end].range.upperBound, isFence: true))
                index = end
                paragraph += 1
            } else if line.isBlank {
                paragraph += 1
            } else {
                Self.collectRuns(bytes, line.range, paragraph, into: &runs)
            }
            index += 1
        }
        addSpans(runs)
    }

    private struct Run {
        var start: Int
        var count: Int
        var paragraph: Int
        var isEscaped: Bool
    }

    private struct Line {
        var range: Range<Int>
        var isBlank: Bool
        var fence = 0
        var isTilde = false
        var opensFence = false
        var closesFence = false

        func closes(_ opener: Line) -> Bool {
            closesFence && isTilde == opener.isTilde && fence >= opener.fence
        }
    }

    private static func lines(of bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex(of: ASCII.lineFeed) ?? bytes.count
            lines.append(line(bytes, start..<end))
            start = end + 1
        }
        return lines
    }

    private static func line(_ bytes: [UInt8], _ range: Range<Int>) -> Line {
        let content = bytes[range].drop(while: ASCII.isBlank)
        var line = Line(range: range, isBlank: content.isEmpty)
        guard let mark = content.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return line }
        let info = content.drop { $0 == mark }
        line.fence = content.count - info.count
        guard line.fence >= 3 else { return line }
        line.isTilde = mark == UInt8(ascii: "~")
        line.opensFence = line.isTilde || !info.contains(mark)
        line.closesFence = info.allSatisfy(ASCII.isBlank)
        return line
    }

    /// For each line, the longest closing fence of backticks and of tildes there or below.
    private static func longestClosers(_ lines: [Line]) -> [[2 of Int]] {
        var longest = [[2 of Int]](repeating: [0, 0], count: lines.count + 1)
        for index in lines.indices.reversed() {
            longest[index] = longest[index + 1]
            guard lines[index].closesFence else { continue }
            let kind = lines[index].isTilde ? 1 : 0
            longest[index][kind] = max(longest[index][kind], lines[index].fence)
        }
        return longest
    }

    private static func collectRuns(_ bytes: [UInt8], _ range: Range<Int>, _ paragraph: Int, into runs: inout [Run]) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == UInt8(ascii: "`") else {
                index += 1
                continue
            }
            let start = index
            while index < range.upperBound, bytes[index] == UInt8(ascii: "`") { index += 1 }
            let isEscaped = start > 0 && bytes[start - 1] == UInt8(ascii: "\\")
            runs.append(Run(start: start, count: index - start, paragraph: paragraph, isEscaped: isEscaped))
        }
    }

    /// A span goes from a run to the next one of the same length in the same paragraph (CommonMark, section 6.1).
    private mutating func addSpans(_ runs: [Run]) {
        var next = [Int](repeating: -1, count: runs.count)
        var seen: [Int: Int] = [:]
        for index in runs.indices.reversed() {
            next[index] = seen.updateValue(index, forKey: runs[index].count) ?? -1
        }
        var spans: [Code] = []
        var index = 0
        while index < runs.count {
            let closer = next[index]
            if closer >= 0, !runs[index].isEscaped, runs[closer].paragraph == runs[index].paragraph {
                let end = runs[closer].start + runs[closer].count
                spans.append(Code(range: runs[index].start..<end, isFence: false))
                index = closer
            }
            index += 1
        }
        guard !spans.isEmpty else { return }
        all = (all + spans).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}

extension String {
    /// Where Markdown code stands in a source: fenced blocks and code spans, with their marks, in order.
    package var codeRanges: [Range<String.Index>] {
        let bytes = Array(utf8)
        return CodeRanges(bytes).all.map { code in
            let start = utf8.index(startIndex, offsetBy: code.range.lowerBound)
            return start..<utf8.index(start, offsetBy: code.range.count)
        }
    }
}

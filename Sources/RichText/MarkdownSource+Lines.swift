import Bytes

/// What is known about the list that the lines above belong to.
struct OpenLists {
    var isOpen = false
    /// Numbers that would continue an ordered list.
    var expected: Set<Int> = []
}

extension MarkdownSource {
    /// Lists nested on one line beyond which markers are text.
    private static let mostMarkers = 8
    /// Columns of indentation that are kept.
    private static let mostIndentation = 64

    /// Reads what stands before the text of the line at `index`, and lets through list markers only.
    mutating func startLine() {
        var start = index
        while start < input.count, ASCII.isBlank(input[start]) { start += 1 }
        let isBlank = start == input.count || input[start] == ASCII.lineFeed
        if isBlank || isAtFence {
            strike.opener = nil
            spoiler.opener = nil
            if isBlank { index = start }
            return
        }
        let indentation = input[index..<start].prefix(Self.mostIndentation)
        index = start
        let markers = indentation.count < 4 || lists.isOpen ? readMarkers() : []
        if markers.isEmpty { return startText(indentation) }
        strike.opener = nil
        spoiler.opener = nil
        lists.isOpen = true
        output += indentation
        output += markers
        guardBlock()
    }

    private mutating func startText(_ indentation: ArraySlice<UInt8>) {
        if lists.isOpen, indentation.isEmpty {
            lists = OpenLists()
            if !output.isEmpty { output.append(ASCII.lineFeed) }
        }
        if !indentation.isEmpty, !lists.isOpen { output += Self.guardMark }
        output += indentation
        guardBlock()
    }

    private mutating func readMarkers() -> [UInt8] {
        var markers: [UInt8] = []
        for _ in 0..<Self.mostMarkers {
            guard let end = markerEnd(at: index) else { break }
            markup += 2
            markers += input[index..<end]
            markers.append(ASCII.space)
            index = end
            while index < input.count, ASCII.isBlank(input[index]) { index += 1 }
        }
        return markers
    }

    /// The end of the list marker at `start`, when text follows it and, for a number, when the list would show it.
    private mutating func markerEnd(at start: Int) -> Int? {
        var end = start
        if input[start] == ASCII.hyphen || input[start] == ASCII.asterisk {
            end += 1
            guard hasText(after: end), !isRule(at: start) else { return nil }
            return end
        }
        guard let number = orderedMarker(at: start, end: &end), hasText(after: end),
            number == 1 || lists.expected.contains(number)
        else { return nil }
        lists.expected.insert(number + 1)
        return end
    }

    /// The number before `.` or `)`.
    private func orderedMarker(at start: Int, end: inout Int) -> Int? {
        let digits = input[start...].prefix(10).prefix(while: ASCII.isDigit)
        guard 1...9 ~= digits.count, digits.endIndex < input.count,
            input[digits.endIndex] == ASCII.dot || input[digits.endIndex] == UInt8(ascii: ")")
        else { return nil }
        end = digits.endIndex + 1
        return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    /// White space and then text on the same line.
    private func hasText(after index: Int) -> Bool {
        guard index < input.count, ASCII.isBlank(input[index]) else { return false }
        let next = input[index...].first { !ASCII.isBlank($0) }
        return next != nil && next != ASCII.lineFeed
    }

    /// Nothing but three or more of the same mark on the rest of the line.
    private func isRule(at start: Int) -> Bool {
        var count = 0
        for byte in input[start...] {
            if byte == ASCII.lineFeed { break }
            if byte == input[start] { count += 1 } else if !ASCII.isBlank(byte) { return false }
        }
        return count >= 3
    }

    /// Keeps the text at `index` from opening a block of its own.
    private mutating func guardBlock() {
        guard index < input.count else { return }
        var end = 0
        let opensBlock =
            switch input[index] {
            case ASCII.hash, UInt8(ascii: ">"), UInt8(ascii: "<"), ASCII.equals, ASCII.hyphen, ASCII.plus,
                UInt8(ascii: "["), UInt8(ascii: "~"), UInt8(ascii: "`"):
                true
            case ASCII.asterisk: !hasTextRight(after: index) || isRule(at: index)
            case let digit where ASCII.isDigit(digit): orderedMarker(at: index, end: &end) != nil
            default: false
            }
        if opensBlock { output += Self.guardMark }
    }

    private func hasTextRight(after index: Int) -> Bool {
        index + 1 < input.count && input[index + 1] > ASCII.space
    }
}

import Domain
import HTTP1

/// What part of a file is wanted (RFC 9110, section 14). More than one part, or what cannot be read, is answered whole.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ head: RequestHead, tag: String, length: Int) {
        self = .whole
        guard head.method == .get, let field = head.headers["range"] else { return }
        if let condition = head.headers["if-range"], condition != tag { return }
        self = ByteRange(field, length: length)
    }

    init(_ field: String, length: Int) {
        self = .whole
        let pieces = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[0].lowercased() == "bytes" else { return }
        let ends = pieces[1].split(separator: "-", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard ends.count == 2, ends.allSatisfy(Self.isNumber), ends != ["", ""] else { return }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (nil, let last?):
            self = last == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - last)..<length)
        case (let first?, let last):
            if let last, last < first { return }
            self = first < length ? .part(first..<min(last.map { $0 &+ 1 } ?? length, length)) : .unsatisfiable
        case (nil, nil):
            return
        }
    }

    private static func isNumber(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Nil when empty; what is too long for a number is past any end.
    private static func number(_ text: String) -> Int? {
        text.isEmpty ? nil : min(Int(text) ?? Int.max, Int.max - 1)
    }
}

/// Names pages by their ids: `*` stands for any run of characters, also for none; everything else for itself
/// (contract: public 21.1).
package struct PagePattern: Sendable, Hashable {
    /// Bytes at most.
    package static let maximumLength = 1000

    /// As it was written; a pattern without `*` is the canonical id of one page.
    package let text: String
    private let pieces: [[UInt8]]

    /// Nil when it is empty, too long, or names one page that cannot be.
    package init?(_ text: String) {
        let isExact = !text.utf8.contains(Self.star)
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength,
            let own = isExact ? PageIdentity.canonical(text) : text.composed
        else { return nil }
        self.text = own
        pieces = own.utf8.split(separator: Self.star, omittingEmptySubsequences: false).map(Array.init)
    }

    private static let star = UInt8(ascii: "*")

    /// Every page.
    package static let any = PagePattern(star: ())

    private init(star: Void) {
        text = "*"
        pieces = [[], []]
    }

    /// Names one page.
    package var isExact: Bool { pieces.count == 1 }

    /// Names every page.
    package var isAny: Bool { pieces.allSatisfy(\.isEmpty) }

    /// Bytes that stand for themselves: of two patterns, the one with more of them is the narrower.
    package var literalCount: Int { pieces.reduce(0) { $0 + $1.count } }

    /// Whether the pattern names the page.
    /// - Parameter page: canonical id.
    package func matches(_ page: String) -> Bool {
        let bytes = Array(page.utf8)
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return bytes == pieces.first }
        guard bytes.count >= first.count + last.count, bytes.starts(with: first),
            bytes.suffix(last.count).elementsEqual(last)
        else { return false }
        // The leftmost place of each piece leaves the most for the next.
        var rest = bytes[first.count..<(bytes.count - last.count)]
        for piece in pieces[1..<(pieces.count - 1)] where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }
}

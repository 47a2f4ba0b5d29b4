/// Where a name stands in an alphabetical list: by its letters, whatever their case and accents, then by the accents.
/// Compared by bytes, so that the order is the same for every reader and every page of a list.
package struct AlphabeticalKey: Comparable, Sendable {
    private let letters: [UInt8]
    private let spelling: [UInt8]

    /// Names that differ in nothing but case have equal keys.
    package init(_ name: String) {
        let lower = name.composed.lowercased()
        spelling = Array(lower.utf8)
        let isPlain = spelling.allSatisfy { $0 < 0x80 }
        letters = isPlain ? spelling : Array(String(String.UnicodeScalarView(SearchText.folded(lower))).utf8)
    }

    /// Before every name.
    package init() {
        letters = []
        spelling = []
    }

    package static func < (left: AlphabeticalKey, right: AlphabeticalKey) -> Bool {
        if left.letters != right.letters { return left.letters.lexicographicallyPrecedes(right.letters) }
        return left.spelling.lexicographicallyPrecedes(right.spelling)
    }
}

/// Where a name stands in an alphabetical list: by its letters, whatever their case and accents, then by the accents.
/// Compared by bytes, so that the order is the same for every reader and every page of a list.
package struct AlphabeticalKey: Comparable, Sendable {
    /// Keys are in the order of these bytes. A zero behind them comes before all that a longer key could have there.
    package let bytes: [UInt8]

    /// Names that differ in nothing but case have equal keys.
    package init(_ name: String) {
        let spelling = Array(name.composed.lowercased().utf8)
        guard spelling.contains(where: { $0 >= 0x80 }) else {
            bytes = spelling
            return
        }
        let letters = String(String.UnicodeScalarView(SearchText.folded(String(decoding: spelling, as: UTF8.self))))
        bytes = letters.utf8 + [1] + spelling
    }

    /// Before every name.
    package init() { bytes = [] }

    package static func < (left: AlphabeticalKey, right: AlphabeticalKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

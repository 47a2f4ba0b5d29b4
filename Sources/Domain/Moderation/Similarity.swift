/// Whether somebody says nearly the same again.
package enum Similarity {
    /// Shorter texts are the same or not.
    private static let wordMinimum = 8
    private static let scalarLimit = 4000
    /// Letters of a word in which one may differ.
    private static let slipMinimum = 4

    /// The same words in the same order, but for one letter in at most one word of five.
    package static func isNearRepetition(_ text: String, of former: String) -> Bool {
        let (new, old) = (words(text), words(former))
        guard new.count == old.count, new.count >= wordMinimum else { return false }
        let others = zip(new, old).filter { $0 != $1 }
        return others.count * 5 <= new.count && others.allSatisfy { isSlip($0, $1) }
    }

    private static func words(_ text: String) -> [Substring] {
        let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarLimit)))
        return FoldedWord.fold(part).split(separator: " ")
    }

    /// Whether one letter was replaced, added or left out.
    private static func isSlip(_ new: Substring, _ old: Substring) -> Bool {
        let (short, long) = new.count < old.count ? (new, old) : (old, new)
        guard short.count >= slipMinimum, long.count - short.count <= 1 else { return false }
        let same = zip(short, long).prefix { $0 == $1 }.count
        let rest = long.dropFirst(same + 1)
        return short.dropFirst(long.count == short.count ? same + 1 : same) == rest
    }
}

/// Whether somebody says nearly the same again.
package enum Similarity {
    /// Shorter texts are the same or not.
    private static let wordMinimum = 8
    private static let scalarLimit = 4000

    /// Words that are the same in both, of all in either, at least four of five.
    package static func isNearRepetition(_ text: String, of former: String) -> Bool {
        let (new, old) = (words(text), words(former))
        guard new.count >= wordMinimum, old.count >= wordMinimum else { return false }
        let common = new.intersection(old).count
        return common * 5 >= (new.count + old.count - common) * 4
    }

    private static func words(_ text: String) -> Set<Substring> {
        let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarLimit)))
        return Set(FoldedWord.fold(part).split(separator: " "))
    }
}

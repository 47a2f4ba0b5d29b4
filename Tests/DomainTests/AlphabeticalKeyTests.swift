import Domain
import Testing

@Suite struct AlphabeticalKeyTests {
    @Test(arguments: [
        ["adam", "Ádám", "Bob", "Emil", "Émile", "Emily", "Zoe"], ["Łukasz", "Luke", "Øystein", "Ozzy"],
        ["Ann", "Ann B", "Anna"], ["Strasse", "Straße", "Strasse 2"], ["Zoe", "Алла", "Ёлка", "Жанна"], ["", "1", "a"],
    ])
    func `letters come first, then accents`(names: [String]) {
        #expect(names.reversed().sorted { AlphabeticalKey($0) < AlphabeticalKey($1) } == names)
    }

    @Test func `case and composition make no difference`() {
        #expect(AlphabeticalKey("ÉMILE") == AlphabeticalKey("e\u{301}mile"))
        #expect(AlphabeticalKey("Emile") != AlphabeticalKey("Émile"))
        #expect(AlphabeticalKey() < AlphabeticalKey("a"))
    }

    @Test(arguments: 1...5)
    func `a list has one order wherever it begins`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "B", "é", "e\u{301}", "E", "\u{200B}", "ß", "ss", "Ж", "日", " ", "ا", "أ", "1", "👍🏽"]
        let keys = (0..<200).map { _ in
            AlphabeticalKey((0..<random.below(6)).map { _ in random.pick(pieces) }.joined())
        }
        let sorted = keys.sorted()
        for (index, key) in sorted.enumerated() {
            try #require(sorted[..<index].allSatisfy { !(key < $0) } && sorted[index...].allSatisfy { !($0 < key) })
        }
    }
}

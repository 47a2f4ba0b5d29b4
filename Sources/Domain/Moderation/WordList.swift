import Bytes

/// Words that are masked: whole words, never parts of others. An entry that ends in `*` stands for all words that begin
/// so; one of several words for those in a row.
package struct WordList: Sendable, Equatable {
    /// Entries of a list of a tenant at most.
    package static let phraseLimit = 5

    private var words: Set<String> = []
    private var prefixes: Set<String> = []
    private var prefixLengths: [Int] = []
    /// By their first words.
    private var phrases: [String: [[String]]] = [:]
    /// Of the words and prefixes: most words of a text begin like none of them.
    private var beginnings = Beginnings()

    /// - Parameter entries: as people write them.
    package init(_ entries: some Sequence<String>) {
        var lengths: Set<Int> = []
        for entry in entries {
            let parts = FoldedWord.fold(entry).split(separator: " ").map(String.init)
            guard let first = parts.first, parts.count <= Self.phraseLimit else { continue }
            if parts.count > 1 {
                phrases[first, default: []].append(parts)
            } else if entry.hasSuffix("*") {
                prefixes.insert(first)
                lengths.insert(first.count)
                beginnings.insert(first, isPrefix: true)
            } else {
                words.insert(first)
                beginnings.insert(first, isPrefix: false)
            }
        }
        prefixLengths = lengths.sorted()
    }

    /// The words of a language that everybody minds. Languages without a list of their own have the English one.
    /// - Parameter locale: such as `de` or `pt_br`.
    package static func shipped(for locale: String?) -> WordList {
        let language = locale.map { $0.lowercased().prefix { $0.isLetter } } ?? "en"
        return byLanguage[String(language)] ?? byLanguage["en"] ?? WordList([])
    }

    private static let byLanguage: [String: WordList] = [
        "de": WordList(lines: PackageResources.de_txt), "en": WordList(lines: PackageResources.en_txt),
        "es": WordList(lines: PackageResources.es_txt), "fr": WordList(lines: PackageResources.fr_txt),
        "it": WordList(lines: PackageResources.it_txt), "pt": WordList(lines: PackageResources.pt_txt),
    ]

    /// One entry a line; lines that begin with `#` are none.
    private init(lines: [UInt8]) {
        self.init(
            lines.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
                .map { String(decoding: $0, as: UTF8.self) })
    }

    // MARK: Finding

    /// Where words of the lists stand in a text, in no order. Addresses and `@names` are not looked into.
    package static func found(in text: String, _ lists: [WordList], excepting exceptions: WordList) -> [FoundWord] {
        let words = FoldedWord.all(in: text)
        let untouched = Untouched(text)
        var found: [FoundWord] = []
        for (index, word) in words.enumerated() where !untouched.covers(word.range) {
            if lists.contains(where: { $0.has(word) }), !exceptions.has(word) {
                found.append(FoundWord(text: word.letters, range: word.range, isPhrase: false))
            }
            if let length = lists.lazy.compactMap({ $0.phraseLength(at: index, of: words) }).first {
                let last = words[index + length - 1]
                found.append(
                    FoundWord(
                        text: words[index..<(index + length)].map(\.text).joined(separator: " "),
                        range: word.range.lowerBound..<last.range.upperBound, isPhrase: true))
            }
        }
        return found
    }

    private func has(_ word: FoldedWord) -> Bool {
        if has(word.text) { return true }
        if word.letters != word.text, has(word.letters) { return true }
        guard let shortened = word.letters.shorteningRuns else { return false }
        return has(shortened.double) || has(shortened.single)
    }

    private func has(_ form: String) -> Bool {
        guard beginnings.mayHave(form) else { return false }
        if words.contains(form) { return true }
        return prefixLengths.contains { length in
            form.utf8.count >= length && prefixes.contains(String(form.prefix(length)))
        }
    }

    private func phraseLength(at index: Int, of words: [FoldedWord]) -> Int? {
        phrases[words[index].text]?.first { phrase in
            index + phrase.count <= words.count
                && zip(phrase, words[index...]).allSatisfy { $0 == $1.text }
                && words[index].range.lowerBound < words[index + phrase.count - 1].range.upperBound
        }?.count
    }
}

/// The first two bytes of words, as a set of bits.
private struct Beginnings: Sendable, Equatable {
    private var bits: [UInt64] = Array(repeating: 0, count: 1024)

    mutating func insert(_ word: String, isPrefix: Bool) {
        let key = Self.key(word)
        insert(key)
        // What goes on after one byte may go on with any.
        if isPrefix, word.utf8.count == 1 { for next in 0..<0x100 { insert(key | next) } }
    }

    func mayHave(_ word: String) -> Bool {
        let key = Self.key(word)
        return bits[key >> 6] & 1 << UInt64(key & 63) != 0
    }

    private mutating func insert(_ key: Int) { bits[key >> 6] |= 1 << UInt64(key & 63) }

    private static func key(_ word: String) -> Int {
        var bytes = word.utf8.makeIterator()
        return Int(bytes.next() ?? 0) << 8 | Int(bytes.next() ?? 0)
    }
}

/// A word of a list in a text.
package struct FoundWord: Sendable, Equatable {
    /// As the lists spell it.
    package let text: String
    package let range: Range<String.Index>
    /// Several words in a row.
    package let isPhrase: Bool
}

extension String {
    /// With stars in place of what was found in this very text. They are stars to readers of Markdown, too.
    /// - Parameter code: where nothing but the stars themselves is one, in order.
    package func masking(_ found: [FoundWord], code: [Range<String.Index>] = []) -> String {
        var masked = ""
        var place = startIndex
        for range in Self.merged(found.map(\.range)) {
            masked.unicodeScalars.append(contentsOf: unicodeScalars[place..<range.lowerBound])
            let isCode = code.contains { $0.contains(range.lowerBound) }
            let isMarkup = !isCode && (follows(range.lowerBound) || isAlone(range, among: found))
            let star = isMarkup ? "\\*" : "*"
            for _ in 0..<String(unicodeScalars[range]).count { masked += star }
            place = range.upperBound
        }
        masked.unicodeScalars.append(contentsOf: unicodeScalars[place...])
        return masked
    }

    /// As ``masking(_:)``, for texts without markup.
    package func starring(_ found: [FoundWord]) -> String {
        var masked = ""
        var place = startIndex
        for range in Self.merged(found.map(\.range)) {
            masked.unicodeScalars.append(contentsOf: unicodeScalars[place..<range.lowerBound])
            masked += String(repeating: "*", count: String(unicodeScalars[range]).count)
            place = range.upperBound
        }
        masked.unicodeScalars.append(contentsOf: unicodeScalars[place...])
        return masked
    }

    private static func merged(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
        var merged: [Range<String.Index>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = merged.last, range.lowerBound < last.upperBound else {
                merged.append(range)
                continue
            }
            merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
        }
        return merged
    }

    /// Whether something stands right before, which makes stars the end of an emphasis.
    private func follows(_ index: String.Index) -> Bool {
        unicodeScalars[..<index].last.map { !$0.properties.isWhitespace } ?? false
    }

    /// Whether nothing else stands on the line, which makes stars a rule.
    private func isAlone(_ range: Range<String.Index>, among found: [FoundWord]) -> Bool {
        let scalars = unicodeScalars
        let start = scalars[..<range.lowerBound].lastIndex(of: "\n").map(scalars.index(after:)) ?? startIndex
        let end = scalars[range.upperBound...].firstIndex(of: "\n") ?? endIndex
        let others = found.map(\.range).filter { $0.lowerBound >= start && $0.upperBound <= end }
        return scalars[start..<end].indices.allSatisfy { index in
            scalars[index].properties.isWhitespace || others.contains { $0.contains(index) }
        }
    }

    /// With letters that stand there three times or more written twice, and once; nil without such a run.
    fileprivate var shorteningRuns: (double: String, single: String)? {
        guard mayHaveRun else { return nil }
        var double = ""
        var single = ""
        var last: Character?
        var count = 0
        var isLong = false
        for character in self {
            count = character == last ? count + 1 : 1
            last = character
            if count <= 2 { double.append(character) }
            if count == 1 { single.append(character) }
            if count >= 3 { isLong = true }
        }
        return isLong ? (double, single) : nil
    }
}

extension String {
    /// Whether a byte stands there three times in a row, or what is no ASCII.
    private var mayHaveRun: Bool {
        var last: UInt8 = 0
        var count = 0
        for byte in utf8 {
            guard byte < 0x80 else { return true }
            count = byte == last ? count + 1 : 1
            last = byte
            if count == 3 { return true }
        }
        return false
    }
}

/// Parts of a text between spaces that are addresses or name somebody.
private struct Untouched {
    private let ranges: [Range<String.Index>]

    init(_ text: String) {
        guard Self.mayHaveAny(text.utf8) else {
            ranges = []
            return
        }
        ranges = text.unicodeScalars.split { $0.properties.isWhitespace }
            .filter { part in part.first == "@" || Self.isAddress(Substring(part).utf8) }
            .map { $0.startIndex..<$0.endIndex }
    }

    /// Whether there is an `@`, a `://` or a `www.` anywhere.
    private static func mayHaveAny(_ text: String.UTF8View) -> Bool {
        var (before, last): (UInt8, UInt8) = (0, 0)
        for byte in text {
            switch byte {
            case ASCII.at: return true
            case ASCII.slash where last == ASCII.slash && before == ASCII.colon: return true
            case ASCII.dot where last == UInt8(ascii: "w") && before == last: return true
            default: (before, last) = (last, byte)
            }
        }
        return false
    }

    private static func isAddress(_ part: Substring.UTF8View) -> Bool {
        if part.starts(with: "www.".utf8) { return true }
        var rest = part
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...]
            if rest.starts(with: "://".utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    func covers(_ range: Range<String.Index>) -> Bool { ranges.contains { $0.overlaps(range) } }
}

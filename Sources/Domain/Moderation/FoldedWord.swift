import Bytes
@_spi(_Unicode) import Swift

/// A word as it sounds, however it is dressed up: lower case, without accents and invisible marks, with letters of other
/// scripts that look like Latin ones read as those.
package struct FoldedWord: Sendable, Equatable {
    /// Letters and digits.
    package let text: String
    /// As `text`, with digits and signs that stand for letters read as those.
    package let letters: String
    /// Where it stands in what it was read from.
    package let range: Range<String.Index>

    /// Words in the order of the text. Letters that stand alone, as in `w o r d`, are a word together, after the others.
    package static func all(in text: String) -> [FoldedWord] {
        var reader = FoldedWordReader()
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            if !reader.isInWord, let end = plainWord(in: text.utf8, from: index) {
                reader.add(plain: text[index..<end])
                index = end
                continue
            }
            let next = scalars.index(after: index)
            reader.read(scalars[index], at: index..<next, before: next < scalars.endIndex ? scalars[next] : nil)
            index = next
        }
        reader.endWord()
        return reader.words + spelled(reader.words, in: scalars)
    }

    /// Where a word ends that begins here and is nothing but ASCII letters between what are no parts of words.
    private static func plainWord(in bytes: String.UTF8View, from start: String.Index) -> String.Index? {
        var end = start
        while end < bytes.endIndex, ASCII.isLetter(bytes[end]) { bytes.formIndex(after: &end) }
        guard end > start, end == bytes.endIndex || LetterForm.isPlainGap(bytes[end]) else { return nil }
        return end
    }

    /// The words with spaces between.
    package static func fold(_ text: String) -> String {
        var reader = FoldedWordReader()
        for scalar in text.unicodeScalars {
            reader.read(scalar, at: text.startIndex..<text.startIndex, before: nil)
        }
        reader.endWord()
        return reader.words.map(\.text).joined(separator: " ")
    }

    /// Runs of at least three letters that stand alone with one sign between.
    private static func spelled(_ words: [FoldedWord], in scalars: String.UnicodeScalarView) -> [FoldedWord] {
        var found: [FoldedWord] = []
        var run: [FoldedWord] = []
        func close() {
            if run.count >= 3, let first = run.first, let last = run.last {
                found.append(
                    FoldedWord(
                        text: run.map(\.text).joined(), letters: run.map(\.letters).joined(),
                        range: first.range.lowerBound..<last.range.upperBound))
            }
            run = []
        }
        for word in words {
            let isSingle = word.text.utf8.count == 1
            if let last = run.last, !isSingle || scalars.index(after: last.range.upperBound) != word.range.lowerBound {
                close()
            }
            if isSingle { run.append(word) }
        }
        close()
        return found
    }
}

/// Gathers words from scalars.
private struct FoldedWordReader {
    private(set) var words: [FoldedWord] = []
    private var text = ""
    private var letters = ""
    private var hasLetters = false
    private var range: Range<String.Index>?

    var isInWord: Bool { range != nil || !text.isEmpty || !letters.isEmpty }

    /// A word of ASCII letters.
    mutating func add(plain word: Substring) {
        let text = word.utf8.allSatisfy { $0 >= 0x61 } ? String(word) : word.lowercased()
        words.append(FoldedWord(text: text, letters: text, range: word.startIndex..<word.endIndex))
    }

    mutating func read(_ scalar: Unicode.Scalar, at place: Range<String.Index>, before next: Unicode.Scalar?) {
        switch LetterForm(scalar) {
        case .letter(let form):
            text += form
            letters += form
            hasLetters = true
            extend(place)
        case .digit(let digit):
            text += digit
            letters += LetterForm.meant[digit] ?? digit
            extend(place)
        case .sign(let meant):
            guard standsForLetter(scalar, before: next) else { return endWord() }
            letters += meant
            extend(place)
        case .nothing: break
        case .gap: endWord()
        }
    }

    /// A sign is a letter where letters go on; `@` at the start names somebody.
    private func standsForLetter(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        let goesOn = next.map { $0.properties.isAlphabetic || $0 == "$" || $0 == "@" } ?? false
        return goesOn && (range != nil || scalar == "$")
    }

    private mutating func extend(_ place: Range<String.Index>) {
        range = (range?.lowerBound ?? place.lowerBound)..<place.upperBound
    }

    mutating func endWord() {
        if let range, !text.isEmpty {
            words.append(FoldedWord(text: text, letters: hasLetters ? letters : text, range: range))
        }
        text = ""
        letters = ""
        hasLetters = false
        range = nil
    }
}

/// What a scalar is for a word.
private enum LetterForm {
    case letter(String)
    case digit(String)
    /// Stands for this letter, inside a word.
    case sign(String)
    /// Not seen, or a mark on a letter.
    case nothing
    case gap

    /// Digits and signs that are written for letters.
    static let meant = ["0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t"]
    private static let signs: [Unicode.Scalar: String] = ["@": "a", "$": "s", "!": "i"]

    /// Whether this byte of ASCII ends a word.
    static func isPlainGap(_ byte: UInt8) -> Bool {
        byte < 0x80 && !ASCII.isLetterOrDigit(byte) && signs[Unicode.Scalar(byte)] == nil
    }

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x61...0x7A: self = .letter(String(scalar))
        case 0x41...0x5A: self = .letter(scalar.properties.lowercaseMapping)
        case 0x30...0x39: self = .digit(String(scalar))
        case 0..<0x80: self = Self.signs[scalar].map { .sign($0) } ?? .gap
        default: self = Self.other(scalar)
        }
    }

    private static func other(_ scalar: Unicode.Scalar) -> LetterForm {
        if scalar.properties.isDefaultIgnorableCodePoint || scalar.isInvisibleControl { return .nothing }
        if let latin = LookAlike.latin(scalar) { return LetterForm(latin) }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return .nothing
        case .decimalNumber:
            guard let value = scalar.properties.numericValue, (0...9).contains(value) else { return .gap }
            return .digit(String(Int(value)))
        default: break
        }
        guard scalar.properties.isAlphabetic else { return .gap }
        return .letter(base(of: scalar))
    }

    /// In lower case and without its marks.
    private static func base(of scalar: Unicode.Scalar) -> String {
        var form = String.UnicodeScalarView()
        for part in String(scalar).lowercased()._nfd {
            guard part.properties.isAlphabetic, part.properties.generalCategory != .nonspacingMark else { continue }
            form.append(LookAlike.latin(part) ?? part)
        }
        return String(form).lowercased()
    }
}

/// Letters of other scripts and styles that look like Latin ones.
private enum LookAlike {
    static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let value = scalar.value
        switch value {
        // Letters and digits of full width.
        case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A: return Unicode.Scalar(value - 0xFEE0)
        // In circles, brackets and boxes.
        case 0x24B6...0x24CF: return Unicode.Scalar(value - 0x24B6 + 0x61)
        case 0x24D0...0x24E9: return Unicode.Scalar(value - 0x24D0 + 0x61)
        case 0x249C...0x24B5: return Unicode.Scalar(value - 0x249C + 0x61)
        case 0x1F130...0x1F149: return Unicode.Scalar(value - 0x1F130 + 0x61)
        case 0x1F150...0x1F169: return Unicode.Scalar(value - 0x1F150 + 0x61)
        case 0x1F170...0x1F189: return Unicode.Scalar(value - 0x1F170 + 0x61)
        // Bold, italic, script and other styles of mathematics.
        case 0x1D400...0x1D6A3: return Unicode.Scalar((value - 0x1D400) % 52 % 26 + 0x61)
        case 0x1D7CE...0x1D7FF: return Unicode.Scalar((value - 0x1D7CE) % 10 + 0x30)
        default: return table[scalar]
        }
    }

    /// Cyrillic, Greek, small capitals and others.
    private static let table: [Unicode.Scalar: Unicode.Scalar] = [
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m",
        "н": "h", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "у": "y", "ѵ": "v", "ԝ": "w", "х": "x", "А": "a",
        "В": "b", "С": "c", "Е": "e", "Н": "h", "І": "i", "Ј": "j", "К": "k", "М": "m", "О": "o", "Р": "p", "Ѕ": "s",
        "Т": "t", "У": "y", "Х": "x", "Ԝ": "w", "Ӏ": "l", "α": "a", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o",
        "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "ϲ": "c", "Α": "a", "Β": "b", "Ε": "e", "Ζ": "z", "Η": "h", "Ι": "i",
        "Κ": "k", "Μ": "m", "Ν": "n", "Ο": "o", "Ρ": "p", "Τ": "t", "Υ": "y", "Χ": "x", "ı": "i", "ƒ": "f", "ł": "l",
        "ø": "o", "đ": "d", "ħ": "h", "Ł": "l", "Ø": "o", "Đ": "d", "ᴀ": "a", "ʙ": "b", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e",
        "ɢ": "g", "ʜ": "h", "ɪ": "i", "ᴊ": "j", "ᴋ": "k", "ʟ": "l", "ᴍ": "m", "ɴ": "n", "ᴏ": "o", "ᴘ": "p", "ʀ": "r",
        "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w", "ʏ": "y", "ᴢ": "z", "ɑ": "a", "ɡ": "g", "ⅰ": "i", "ⅴ": "v", "ⅹ": "x",
        "ⅼ": "l", "ⅽ": "c", "ⅾ": "d", "ⅿ": "m",
    ]
}

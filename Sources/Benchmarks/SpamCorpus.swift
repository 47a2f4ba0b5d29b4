/// A comment with the mark that a moderator would give it.
struct LabelledComment {
    let text: String
    let isSpam: Bool
}

/// Comments made from sentences: gaps are filled, some of the comments get a second sentence, and noise is added. Spam is
/// dressed up as it is in the wild, with look-alike letters, invisible marks, capitals, signs and pictures; people mistype.
struct SpamCorpus {
    /// Look-alike letters.
    private static let disguises: [Character: String] = [
        "a": "а", "e": "е", "o": "о", "c": "с", "i": "1", "p": "р", "x": "х", "s": "$", "E": "Е", "A": "А", "O": "0",
    ]

    private let templates: SpamTemplates
    private var random: SplitMix

    init(_ templates: SpamTemplates, seed: UInt64) {
        self.templates = templates
        random = SplitMix(state: seed)
    }

    /// So many of either kind.
    mutating func comments(_ count: Int) -> [LabelledComment] {
        var comments: [LabelledComment] = []
        for _ in 0..<count {
            comments.append(LabelledComment(text: spam(), isSpam: true))
            comments.append(LabelledComment(text: ham(), isSpam: false))
        }
        return comments
    }

    private mutating func spam() -> String {
        var text = filled(pick(templates.spam))
        if random.below(4) == 0 { text += " " + filled(pick(templates.spam)) }
        // Taken from what people write, as spammers do.
        if random.below(6) == 0 { text = filled(pick(templates.ham)) + " " + text }
        switch random.below(6) {
        case 0: text = disguised(text)
        case 1: text = pierced(text)
        case 2: text = text.uppercased()
        case 3: text += pick([" 🔥🔥🔥", "!!!", " 💰💰💰", " >>> click here"])
        default: break
        }
        return text
    }

    private mutating func ham() -> String {
        var text = filled(pick(templates.ham))
        if random.below(3) == 0 { text += " " + filled(pick(templates.ham)) }
        switch random.below(6) {
        case 0: text = mistyped(text)
        case 1: text += pick([" 🙂", " :-)", "!", " Cheers"])
        case 2: text = text.lowercased()
        default: break
        }
        return text
    }

    private mutating func pick<Element>(_ items: [Element]) -> Element { items[random.below(items.count)] }

    private mutating func filled(_ template: String) -> String {
        var text = ""
        for (index, part) in template.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0, let end = part.firstIndex(of: "}") else {
                text += part
                continue
            }
            text += pick(templates.fillings[String(part[..<end])] ?? [""]) + part[part.index(after: end)...]
        }
        return text
    }

    /// Outside addresses, which must work.
    private mutating func words(of text: String, _ change: (String, inout SplitMix) -> String) -> String {
        text.split(separator: " ").map { word in
            word.utf8.firstRange(of: "://".utf8) != nil ? String(word) : change(String(word), &random)
        }.joined(separator: " ")
    }

    private mutating func disguised(_ text: String) -> String {
        words(of: text) { word, random in
            guard random.below(2) == 0 else { return word }
            return word.reduce(into: "") { $0 += Self.disguises[$1] ?? String($1) }
        }
    }

    private mutating func pierced(_ text: String) -> String {
        words(of: text) { word, random in
            guard word.count > 3, random.below(2) == 0 else { return word }
            return word.prefix(2) + "\u{200B}" + word.dropFirst(2)
        }
    }

    private mutating func mistyped(_ text: String) -> String {
        words(of: text) { word, random in
            guard word.count > 3, random.below(5) == 0 else { return word }
            var letters = Array(word)
            letters.swapAt(1, 2)
            return String(letters)
        }
    }
}

/// Numbers that repeat with their seed. Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix {
    private var state: UInt64

    init(state: UInt64) { self.state = state }

    /// 0 up to, but not including, `bound`.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}

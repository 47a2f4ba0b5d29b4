/// What a spam filter sees of a comment: its words, where its links lead, and how it looks.
package enum SpamFeatures {
    /// Of one comment at most.
    package static let limit = 120
    /// Of a source, as far as it is looked at, in code points.
    private static let scalarLimit = 4000
    private static let wordLengths = 2...24

    /// Each once. Words as they are folded, hosts as `host:…`, the end of a host's name as `tld:…`, looks as `#…`.
    /// - Parameter source: as written.
    package static func of(_ source: String) -> [String] {
        let text = String(String.UnicodeScalarView(source.unicodeScalars.prefix(scalarLimit)))
        var features = FeatureSet(limit: limit)
        let hosts = hosts(in: text)
        looks(of: text, links: hosts.count).forEach { features.insert($0) }
        for host in hosts {
            features.insert("host:" + host)
            if let dot = host.lastIndex(of: ".") { features.insert("tld:" + host[host.index(after: dot)...]) }
        }
        var last = ""
        for word in FoldedWord.all(in: text) where wordLengths.contains(word.text.utf8.count) {
            features.insert(word.letters)
            // Two in a row say more than each.
            if last.utf8.count + word.text.utf8.count <= wordLengths.upperBound, !last.isEmpty {
                features.insert(last + " " + word.letters)
            }
            last = word.letters
        }
        return features.list
    }

    /// Of addresses, in order, lower case.
    private static func hosts(in text: String) -> [String] {
        var hosts: [String] = []
        var rest = Substring(text)
        while let scheme = rest.utf8.firstRange(of: "://".utf8) {
            rest = rest[scheme.upperBound...]
            let host = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
            if host.utf8.contains(UInt8(ascii: ".")), host.utf8.count <= 100 { hosts.append(host.lowercased()) }
        }
        return hosts
    }

    private static func looks(of text: String, links: Int) -> [String] {
        var looks = links == 0 ? [] : ["#links\(min(links, 3))"]
        let counts = LetterCounts(text)
        if counts.letters >= 12, counts.upper * 10 > counts.letters * 6 { looks.append("#capitals") }
        if counts.exclamations >= 3 { looks.append("#exclaims") }
        if counts.hasMoney { looks.append("#money") }
        if counts.hidden > 0 { looks.append("#hidden") }
        if counts.pictures >= 3 { looks.append("#pictures") }
        if counts.digits >= 9 { looks.append("#number") }
        if counts.hasMixedWord { looks.append("#mixed") }
        if counts.letters < 25 { looks.append("#short") }
        if counts.letters > 400 { looks.append("#long") }
        return looks
    }
}

/// Without repeats, in order.
private struct FeatureSet {
    let limit: Int
    private(set) var list: [String] = []
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    mutating func insert(_ feature: String) {
        if list.count < limit, known.insert(feature).inserted { list.append(feature) }
    }
}

/// What a text is made of.
private struct LetterCounts {
    private(set) var letters = 0
    private(set) var upper = 0
    private(set) var digits = 0
    private(set) var exclamations = 0
    private(set) var hidden = 0
    private(set) var pictures = 0
    /// A sign of money next to a digit.
    private(set) var hasMoney = false
    /// A word with Latin and Cyrillic or Greek letters.
    private(set) var hasMixedWord = false

    init(_ text: String) {
        var last: Unicode.Scalar = " "
        var word = (latin: false, other: false)
        for scalar in text.unicodeScalars {
            count(scalar, after: last)
            if scalar.properties.isAlphabetic {
                switch scalar.value {
                case ..<0x250: word.latin = true
                case 0x370...0x52F: word.other = true
                default: break
                }
                if word.latin, word.other { hasMixedWord = true }
            } else if !scalar.properties.isDefaultIgnorableCodePoint {
                word = (false, false)
            }
            last = scalar
        }
    }

    private mutating func count(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) {
        let isDigit = (0x30...0x39).contains(scalar.value)
        if isDigit { digits += 1 }
        if scalar == "!" { exclamations += 1 }
        if scalar.properties.isAlphabetic {
            letters += 1
            if scalar.properties.isUppercase { upper += 1 }
        } else if scalar.value > 0x7F {
            if scalar.properties.isEmojiPresentation { pictures += 1 }
            // What joins pictures, and what chooses their style, is in honest texts too.
            if scalar.isInvisibleControl, scalar.value != 0x200D { hidden += 1 }
        }
        if isMoney(last), isDigit { hasMoney = true }
        if isMoney(scalar), (0x30...0x39).contains(last.value) { hasMoney = true }
    }

    private func isMoney(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .currencySymbol }
}

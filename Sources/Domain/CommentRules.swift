/// What a comment's source must satisfy, whoever wrote it.
package enum CommentRules {
    /// The length that counts: characters without tags and without the addresses of images (contract: public 7.7).
    /// Linear in the source, whatever it holds.
    package static func countedLength(_ source: String) -> Int {
        let bytes = Array(source.utf8)
        var counted: [UInt8] = []
        counted.reserveCapacity(bytes.count)
        // Where the last search for an end stopped; past the text when there is none.
        var tagEnd = 0
        var imageEnd = 0
        var index = 0
        while index < bytes.count {
            if isTagStart(bytes, index) {
                if tagEnd <= index { tagEnd = find([0x3E], in: bytes, from: index) }
                if tagEnd < bytes.count {
                    index = tagEnd + 1
                    continue
                }
            } else if matches(imageStart, in: bytes, at: index) {
                if imageEnd <= index { imageEnd = find(imageStop, in: bytes, from: index) }
                if imageEnd < bytes.count {
                    index = imageEnd + imageStop.count
                    continue
                }
            }
            counted.append(bytes[index])
            index += 1
        }
        return String(decoding: counted, as: UTF8.self).count
    }

    private static let imageStart = Array("[img]".utf8)
    private static let imageStop = Array("[/img]".utf8)

    private static func isTagStart(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard bytes[index] == 0x3C, index + 1 < bytes.count else { return false }
        let next = bytes[index + 1] | 0x20
        return bytes[index + 1] == 0x2F || (0x61...0x7A).contains(next)
    }

    private static func matches(_ word: [UInt8], in bytes: [UInt8], at index: Int) -> Bool {
        index + word.count <= bytes.count && bytes[index] == word[0]
            && bytes[index..<index + word.count].elementsEqual(word)
    }

    private static func find(_ word: [UInt8], in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if matches(word, in: bytes, at: index) { return index }
            index += 1
        }
        return bytes.count
    }

    /// The text by which a repetition is recognised: letters, digits and symbols in lower case; where there is none of
    /// them, the text without its spaces.
    package static func fingerprint(_ plainText: String) -> String {
        let lower = plainText.composed.lowercased()
        let core = lower.filter { $0.isLetter || $0.isNumber || $0.isSymbol }
        return core.isEmpty ? lower.filter { !$0.isWhitespace } : core
    }
}

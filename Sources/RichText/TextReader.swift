import Bytes

/// Finds bare URLs, mentions and hash tags in plain text and hands everything to the writer.
struct TextReader {
    /// Tags reported for one comment.
    private static let mostTags = 50
    /// Links set for one comment; further URLs stay text.
    private static let mostLinks = 500
    /// Places looked at for a mention.
    private static let mostMentions = 2000
    /// Bytes of a hash tag beyond which it is no tag.
    private static let longestTag = 200

    let linksAsText: Bool
    /// Longest first.
    let mentions: [[UInt8]]
    private let hashTagTargets: [String: LinkTarget]
    private(set) var hashTags: [String] = []
    private var seenTags: Set<String> = []
    private var linksLeft = Self.mostLinks
    private var mentionsLeft = Self.mostMentions

    init(_ options: RenderOptions) {
        linksAsText = options.linksAsText
        mentions = Self.usable(options.mentionTags)
        hashTagTargets = options.hashTagAddresses.compactMapValues { LinkTarget($0.utf8) }
    }

    /// Only tags with one `@`, at their start: then comparing costs no more than reading.
    private static func usable(_ tags: [String]) -> [[UInt8]] {
        guard !tags.isEmpty else { return [] }
        let normalised = Set(tags.map { SourceText.normalised($0) }).filter { tag in
            tag.count > 1 && tag.first == ASCII.at && !tag.dropFirst().contains(ASCII.at)
        }
        return normalised.sorted { $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1) }
    }

    /// Text outside code and links.
    mutating func read(_ bytes: [UInt8], into writer: inout HTMLWriter) {
        var index = 0
        var copied = 0
        while index < bytes.count {
            switch bytes[index] {
            case ASCII.lineFeed:
                flush(bytes[copied..<index], into: &writer)
                writer.lineFeed()
                index += 1
                copied = index
            case UInt8(ascii: "h"), UInt8(ascii: "H"):
                guard let end = BareURL.end(in: bytes, at: index) else {
                    index += 1
                    continue
                }
                let target = linksAsText ? nil : LinkTarget(bytes[index..<end])
                if writeLink(to: target, bytes[copied..<index], bytes[index..<end], into: &writer) { copied = end }
                index = end
            case ASCII.at where !mentions.isEmpty && mentionsLeft > 0:
                mentionsLeft -= 1
                guard let end = mentionEnd(in: bytes, at: index) else {
                    index += 1
                    continue
                }
                flush(bytes[copied..<index], into: &writer)
                writer.open(.element(.b))
                writer.text(bytes[index..<end])
                writer.close()
                index = end
                copied = end
            case ASCII.hash:
                let (end, target) = readHashTag(bytes, index)
                if writeLink(to: target, bytes[copied..<index], bytes[index..<end], into: &writer) { copied = end }
                index = end
            default: index += 1
            }
        }
        flush(bytes[copied...], into: &writer)
    }

    /// Writes what stands before a link, and the link. Nothing without a target, or when there are too many links.
    private mutating func writeLink(
        to target: LinkTarget?, _ before: ArraySlice<UInt8>, _ label: ArraySlice<UInt8>, into writer: inout HTMLWriter
    ) -> Bool {
        guard let target, linksLeft > 0 else { return false }
        flush(before, into: &writer)
        linksLeft -= 1
        writer.open(.link(target, isInlineImage: false))
        writer.text(label)
        writer.close()
        return true
    }

    private func flush(_ bytes: ArraySlice<UInt8>, into writer: inout HTMLWriter) {
        if !bytes.isEmpty { writer.text(bytes) }
    }

    private func mentionEnd(in bytes: [UInt8], at start: Int) -> Int? {
        if start > 0, MarkdownSource.isAlphanumeric(bytes[start - 1]) { return nil }
        for tag in mentions where bytes[start...].starts(with: tag) {
            let end = start + tag.count
            if end == bytes.count || !Scalars.isWord(Scalars.at(end, in: bytes)) { return end }
        }
        return nil
    }

    /// Notes the tag at `start` and returns where to read on, and where the tag leads.
    private mutating func readHashTag(_ bytes: [UInt8], _ start: Int) -> (end: Int, target: LinkTarget?) {
        if let before = Scalars.before(start, in: bytes), Scalars.isWord(before) { return (start + 1, nil) }
        var end = start + 1
        while end < bytes.count {
            let scalar = Scalars.at(end, in: bytes)
            guard Scalars.isWord(scalar) || scalar == "-" else { break }
            end += Scalars.width(bytes[end])
        }
        guard end > start + 1, end - start <= Self.longestTag, hashTags.count < Self.mostTags else { return (end, nil) }
        let tag = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        let key = tag.lowercased()
        if seenTags.insert(key).inserted { hashTags.append(tag) }
        return (end, linksAsText ? nil : hashTagTargets[key])
    }
}

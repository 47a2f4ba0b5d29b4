import Bytes

/// Turns the source of a comment into HTML that is safe by construction.
package enum CommentRenderer {
    /// Callable on any thread; costs at most 10 ms for a source of 64 KiB.
    ///
    /// The source may mix Markdown, HTML and plain text. Where it has more markup than any comment needs, all of it is
    /// taken as plain text.
    package static func render(_ source: String, _ options: RenderOptions = RenderOptions()) -> RenderedComment {
        let bytes = SourceText.normalised(source)
        var reader = FragmentReader(options)
        if mayHaveMarkup(bytes, options),
            let prepared = MarkdownSource.prepare(
                bytes, marksSpoilers: options.allowsSpoilers, keepsEmbeds: options.embedHosts != nil)
        {
            reader.read(html: MarkdownTree.html(of: prepared))
        } else {
            reader.read(plain: bytes)
        }
        var rendered = reader.writer.result
        rendered.hashTags = reader.text.hashTags
        return rendered
    }

    /// Whether anything needs a parser. URLs, mentions and hash tags do not.
    private static func mayHaveMarkup(_ bytes: [UInt8], _ options: RenderOptions) -> Bool {
        var startsLine = true
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"), ASCII.ampersand, UInt8(ascii: "`"), ASCII.asterisk, UInt8(ascii: "~"),
                UInt8(ascii: "["), UInt8(ascii: "\\"):
                return true
            case UInt8(ascii: "|") where options.allowsSpoilers: return true
            case ASCII.hyphen where startsLine: return true
            case let digit where startsLine && ASCII.isDigit(digit): return true
            default: break
            }
            startsLine = byte == ASCII.lineFeed || (startsLine && ASCII.isBlank(byte))
        }
        return false
    }
}

import Bytes

/// The one way text gets into HTML.
package enum Escaping {
    private static let inText = ByteSet("&<>")
    private static let inAttribute = ByteSet("&<>\"")

    /// `&`, `<` and `>` as references.
    static func text(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
        escape(bytes, inText, into: &output)
    }

    /// For an attribute in double quotes: `"` too.
    static func attribute(_ bytes: [UInt8], into output: inout [UInt8]) {
        escape(bytes[...], inAttribute, into: &output)
    }

    /// The same for a page that is put together from texts.
    package static func text(_ text: String) -> String {
        var output: [UInt8] = []
        self.text(Array(text.utf8)[...], into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// For an attribute in double quotes of such a page.
    package static func attribute(_ text: String) -> String {
        var output: [UInt8] = []
        attribute(Array(text.utf8), into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func escape(_ bytes: ArraySlice<UInt8>, _ special: ByteSet, into output: inout [UInt8]) {
        var rest = bytes
        while let index = rest.firstIndex(where: special.contains) {
            output += rest[..<index]
            switch rest[index] {
            case ASCII.ampersand: output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            default: output += "&quot;".utf8
            }
            rest = rest[(index + 1)...]
        }
        output += rest
    }
}

import Bytes

/// The one way text gets into HTML.
enum Escaping {
    /// `&`, `<` and `>` as references.
    static func text(_ bytes: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case ASCII.ampersand: output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            default: output.append(byte)
            }
        }
    }

    /// For an attribute in double quotes: `"` too.
    static func attribute(_ bytes: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case ASCII.ampersand: output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case ASCII.quote: output += "&quot;".utf8
            default: output.append(byte)
            }
        }
    }
}

/// Files of pages as they are compiled in.
enum EmbeddedPage {
    /// The text of a file.
    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The files one after another.
    static func joined(_ files: [[UInt8]]) -> String { files.map { text($0) }.joined(separator: "\n") }

    /// The text with a value in the place of each gap of that name.
    static func filled(_ text: String, _ gap: String, _ value: String) -> String {
        text.split(separator: gap, omittingEmptySubsequences: false).joined(separator: value)
    }
}

import Bytes
import Domain
import JSON
import RichText

/// Why a template cannot be used or filled in; names the line and what stands there.
struct MailTemplateFailure: Error, Sendable {
    let reason: String

    init(line: Int, _ reason: String) { self.reason = "Line \(line): \(reason)" }
}

/// The text of a mail with gaps: `<%= path %>` is filled in escaped, `<%- path %>` as it is, `<%# … %>` not at all. A path
/// is made of names with dots; `t('KEY')` and `t.KEY` are words in the reader's language. There is no logic: whoever may
/// write templates may not run programs here.
struct MailTemplate: Sendable {
    /// Of a template, in UTF-8 bytes.
    static let maximumLength = 100 * 1024
    /// Of what comes out, in UTF-8 bytes.
    static let maximumOutput = 1024 * 1024
    /// Names of a path.
    static let maximumDepth = 10

    private enum Gap: Sendable {
        case path([String])
        case word(String)
    }

    private enum Piece: Sendable {
        case text(ArraySlice<UInt8>)
        case gap(Gap, isRaw: Bool, line: Int)
    }

    private let pieces: [Piece]

    // MARK: Reading

    init(_ source: String) throws(MailTemplateFailure) {
        var pieces: [Piece] = []
        var rest = Array(source.utf8)[...]
        var line = 1
        while let open = rest.firstRange(of: Self.opening) {
            pieces.append(.text(rest[..<open.lowerBound]))
            line += Self.lines(rest[..<open.lowerBound])
            rest = rest[open.upperBound...]
            guard let close = rest.firstRange(of: Self.closing) else {
                throw MailTemplateFailure(line: line, "<% has no %> behind it.")
            }
            let tag = rest[..<close.lowerBound]
            if tag.first != ASCII.hash { pieces.append(try Self.piece(tag, line: line)) }
            line += Self.lines(tag)
            rest = rest[close.upperBound...]
        }
        pieces.append(.text(rest))
        self.pieces = pieces
    }

    private static let opening = Array("<%".utf8)
    private static let closing = Array("%>".utf8)

    private static func lines(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == ASCII.lineFeed } }

    private static func piece(_ tag: ArraySlice<UInt8>, line: Int) throws(MailTemplateFailure) -> Piece {
        guard tag.first == ASCII.equals || tag.first == ASCII.hyphen else {
            throw MailTemplateFailure(line: line, "\(quoted(tag)) is logic, and templates have only <%= and <%-.")
        }
        let expression = String(decoding: tag.dropFirst(), as: UTF8.self).trimmed
        guard let gap = gap(expression) else {
            throw MailTemplateFailure(
                line: line, "\(quoted(tag)) is neither names with dots nor t('KEY'), with up to \(maximumDepth) names.")
        }
        return .gap(gap, isRaw: tag.first == ASCII.hyphen, line: line)
    }

    private static func quoted(_ tag: ArraySlice<UInt8>) -> String {
        "<%" + String(decoding: tag, as: UTF8.self).line.cut(to: 60) + "%>"
    }

    private static func gap(_ expression: String) -> Gap? {
        for quote in ["'", "\""] where expression.hasPrefix("t(" + quote) && expression.hasSuffix(quote + ")") {
            let key = expression.dropFirst(3).dropLast(2)
            return expression.utf8.count > 5 && isName(key) ? .word(String(key)) : nil
        }
        let names = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count <= maximumDepth, names.allSatisfy(isName) else { return nil }
        if names.first == "t", names.count == 2 { return .word(String(names[1])) }
        return .path(names.map(String.init))
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !ASCII.isDigit(first) else { return false }
        return text.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == ASCII.underscore }
    }

    // MARK: Filling in

    func rendered(_ data: JSONObject, _ words: MailWords) throws(MailTemplateFailure) -> String {
        var output: [UInt8] = []
        for piece in pieces {
            var line = 1
            switch piece {
            case .text(let bytes): output += bytes
            case .gap(let gap, let isRaw, let place):
                line = place
                let text = try Self.text(gap, data, words, line: line)
                output += (isRaw ? text : Self.escaped(text)).utf8
            }
            guard output.count <= Self.maximumOutput else {
                throw MailTemplateFailure(line: line, "The mail has more than \(Self.maximumOutput) bytes.")
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Also fit for an attribute in single quotes.
    private static func escaped(_ text: String) -> String {
        Escaping.attribute(text).split(separator: "'", omittingEmptySubsequences: false).joined(separator: "&#39;")
    }

    private static func text(
        _ gap: Gap, _ data: JSONObject, _ words: MailWords, line: Int
    ) throws(MailTemplateFailure) -> String {
        switch gap {
        case .word(let key):
            guard let word = words[key] else {
                throw MailTemplateFailure(line: line, "There is no translation \(key.cut(to: 100)).")
            }
            return word
        case .path(let names): return try text(names, data, line: line)
        }
    }

    /// What is there and has no value is empty; what is not there is a mistake.
    private static func text(
        _ names: [String], _ data: JSONObject, line: Int
    ) throws(MailTemplateFailure) -> String {
        var value = JSONValue.object(data)
        for (place, name) in names.enumerated() {
            let path = names[...place].joined(separator: ".").cut(to: 100)
            guard let object = value.object else {
                throw MailTemplateFailure(line: line, "\(path) is part of nothing.")
            }
            guard let member = object[name] else {
                guard place > 0, place == names.count - 1 else {
                    throw MailTemplateFailure(line: line, "The data has no \(path).")
                }
                return ""
            }
            value = member
        }
        switch value {
        case .null: return ""
        case .string(let text): return text
        case .array, .object:
            throw MailTemplateFailure(line: line, "\(names.joined(separator: ".").cut(to: 100)) is no text.")
        default: return String(decoding: value.jsonBytes(), as: UTF8.self)
        }
    }
}

/// Words of a mail in the reader's language.
struct MailWords: Sendable {
    /// From the first to look into.
    private let lists: [JSONObject]

    /// - Parameters:
    ///   - overrides: a site's own words, by locale.
    ///   - usual: by locale too.
    init(_ overrides: JSONObject, _ usual: JSONObject, locale: String) {
        lists = [locale, "en_us"].flatMap { [overrides[$0]?.object, usual[$0]?.object].compactMap { $0 } }
    }

    subscript(_ key: String) -> String? {
        lists.lazy.compactMap { $0[key]?.string }.first
    }
}

extension ArraySlice<UInt8> {
    fileprivate func firstRange(of bytes: [UInt8]) -> Range<Int>? {
        var place = startIndex
        while let found = self[place...].firstIndex(of: bytes[0]) {
            if self[found...].starts(with: bytes) { return found..<(found + bytes.count) }
            place = found + 1
        }
        return nil
    }
}

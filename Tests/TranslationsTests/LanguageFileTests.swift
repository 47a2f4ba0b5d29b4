import Domain
import Foundation
import JSON
import Testing

@testable import Translations

/// The files as translators leave them.
@Suite struct LanguageFileTests {
    private struct File {
        let labels: [(name: String, text: String)]
        let sentences: [String: String]

        init(_ language: Language) throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Sources/Translations/Languages")
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "\(language.locale).json")))
            let content = try #require(try JSONValue.parse(bytes).object)
            #expect(content.members.map(\.name) == (language == .english ? ["labels"] : ["labels", "sentences"]))
            labels = try Self.texts(content["labels"])
            sentences = Dictionary(
                uniqueKeysWithValues: language == .english ? [] : try Self.texts(content["sentences"]))
        }

        private static func texts(_ value: JSONValue?) throws -> [(name: String, text: String)] {
            try #require(value?.object).members.map { ($0.name, try #require($0.value.string)) }
        }
    }

    private static let others = Language.allCases.filter { $0 != .english }

    /// `[count]`, `[v]`, …, sorted.
    private static func gaps(_ text: String) -> [Substring] {
        text.matches(of: /\[[A-Za-z]+\]/).map(\.output).sorted()
    }

    @Test func `the English labels are those that clients read`() throws {
        let names = try File(.english).labels.map(\.name)
        #expect(names.count == 201)
        #expect(names == names.sorted())
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: others)
    func `every language has the same labels in the same order`(language: Language) throws {
        let own = try File(language).labels.map(\.name)
        let english = try File(.english).labels.map(\.name)
        #expect(Set(english).subtracting(own) == [], "missing")
        #expect(Set(own).subtracting(english) == [], "unknown")
        #expect(own.sorted() == english, "out of order, or twice")
        #expect(own == own.sorted())
    }

    @Test(arguments: others)
    func `every label keeps its gaps`(language: Language) throws {
        let english = Dictionary(uniqueKeysWithValues: try File(.english).labels)
        for (name, text) in try File(language).labels {
            #expect(Self.gaps(text) == Self.gaps(english[name] ?? ""), "\(name)")
        }
    }

    @Test(arguments: Language.allCases)
    func `every text is plain and says something`(language: Language) throws {
        let file = try File(language)
        for (name, text) in file.labels + file.sentences.map({ ($0.key, $0.value) }) {
            #expect(!text.isEmpty && text.first?.isWhitespace == false && text.last?.isWhitespace == false, "\(name)")
            let isPlain = text.unicodeScalars.allSatisfy { scalar in
                // Neither markup nor line ends nor marks of direction.
                !"<>&\\".unicodeScalars.contains(scalar)
                    && ![.control, .format].contains(scalar.properties.generalCategory)
            }
            #expect(isPlain, "\(name)")
        }
    }

    @Test(arguments: others)
    func `every phrase is worded in every language`(language: Language) throws {
        let sentences = try File(language).sentences
        let names = Set(Phrase.allCases.map(\.rawValue))
        #expect(names.subtracting(sentences.keys).sorted() == [], "missing")
        #expect(Set(sentences.keys).subtracting(names).sorted() == [], "unknown")
        for phrase in Phrase.allCases {
            guard let sentence = sentences[phrase.rawValue] else { continue }
            let hasGap = PhraseBook.text(phrase, detail: "gap") != PhraseBook.text(phrase, detail: "hole")
            #expect(sentence.ranges(of: "{}").count == (hasGap ? 1 : 0), "\(phrase)")
            #expect(sentence.last.map { ".。".contains($0) } == true, "\(phrase)")
        }
    }

    /// Words that are the same in English by right, such as `Admin`, are few.
    @Test(arguments: others)
    func `a translation is no copy`(language: Language) throws {
        let file = try File(language)
        let english = Dictionary(uniqueKeysWithValues: try File(.english).labels)
        let copied = file.labels.filter { english[$0.name] == $0.text }.map(\.name)
        #expect(copied.count <= 12, "\(copied)")
        let sentences = Phrase.allCases.filter { file.sentences[$0.rawValue] == PhraseBook.text($0, detail: "{}") }
        #expect(sentences == [])
    }

    @Test func `suites of clients find the English words that they look for`() throws {
        let labels = Dictionary(uniqueKeysWithValues: try File(.english).labels)
        #expect(labels["SHOW_COMMENTS_BUTTON_TEXT"] == "Show ([count]) Comments")
        #expect(labels["HIDE_COMMENTS_BUTTON_TEXT"] == "Hide ([count]) Comments")
        #expect(labels["LIVE"] == "Live")
    }
}

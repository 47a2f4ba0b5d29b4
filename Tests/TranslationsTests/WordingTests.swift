import Domain
import JSON
import Testing

@testable import Translations

@Suite struct WordingTests {
    private static let english = Wording(
        file: Array(#"{"labels": {"A": "one", "NOTIFICATION_B": "two"}}"#.utf8), english: nil)

    private static func wording(_ file: String) -> Wording { Wording(file: Array(file.utf8), english: english) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: Language.allCases)
    func `the words of every language are there`(language: Language) throws {
        let wording = Wording.of(language)
        #expect(wording.labels.map(\.name) == Wording.of(.english).labels.map(\.name))
        let object = try #require(try JSONValue.parse(wording.labelsJSON).object)
        #expect(object.members.map(\.name) == wording.labels.map(\.name))
        #expect(object.members.map(\.value.string) == wording.labels.map(\.text))
        let notices = try #require(try JSONValue.parse(wording.notificationLabelsJSON(changedBy: [:])).object)
        #expect(notices.members.count == 16)
    }

    @Test func `what a language lacks is there in English`() {
        let wording = Self.wording(#"{"labels": {"NOTIFICATION_B": "zwei", "C": "drei"}}"#)
        #expect(Self.text(wording.labelsJSON) == #"{"A":"one","NOTIFICATION_B":"zwei"}"#)
        #expect(Self.text(wording.notificationLabelsJSON(changedBy: [:])) == #"{"NOTIFICATION_B":"zwei"}"#)
        #expect(wording.sentence(.commentLocked) == PhraseBook.text(.commentLocked))
    }

    @Test(arguments: [
        "", "[]", "{", #"{"labels": []}"#, #"{"labels": {"A": 1}, "sentences": {"commentLocked": null}}"#,
    ])
    func `a file that makes no sense lacks everything`(file: String) {
        let wording = Self.wording(file)
        #expect(wording.labelsJSON == Self.english.labelsJSON)
        #expect(wording.sentence(.commentLocked) == PhraseBook.text(.commentLocked))
    }

    @Test func `a sentence takes its detail`() {
        let wording = Self.wording(#"{"sentences": {"commentTooBig": "Höchstens {} Zeichen."}}"#)
        #expect(wording.sentence(.commentTooBig, detail: "20") == "Höchstens 20 Zeichen.")
        #expect(wording.sentence(.linkNotAllowed, detail: "x.test") == "Links to x.test are not allowed here.")
    }

    @Test func `an owner's words win, and new names come last`() {
        let changed = Self.english.labelsJSON(changedBy: ["A": "eins", "Z": "z", "Y": "\"y\""])
        #expect(Self.text(changed) == #"{"A":"eins","NOTIFICATION_B":"two","Y":"\"y\"","Z":"z"}"#)
        #expect(Self.english.labelsJSON(changedBy: [:]) == Self.english.labelsJSON)
        let notices = Self.english.notificationLabelsJSON(changedBy: ["A": "eins", "NOTIFICATION_B": "zwei", "Z": "z"])
        #expect(Self.text(notices) == #"{"NOTIFICATION_B":"zwei"}"#)
    }

    @Test func `the fingerprint follows the labels`() {
        let fingerprints = Set(Language.allCases.map { Wording.of($0).fingerprint })
        #expect(fingerprints.count == Language.allCases.count)
        #expect(fingerprints.allSatisfy { $0.utf8.count == 16 })
        // Known values of FNV-1a.
        #expect(Wording.fingerprint([]) == "cbf29ce484222325")
        #expect(Wording.fingerprint(Array("foobar".utf8)) == "85944171f73967e8")
    }
}

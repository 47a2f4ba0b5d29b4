import Domain
import JSON

/// Answers to a page's questions that come with a comment (contract: public 6.1), kept and echoed as sent.
enum Feedback {
    /// Entries of either list at most.
    static let maximumCount = 100
    /// Longest id, name or answer, in UTF-8 bytes.
    static let maximumLength = 1000

    /// `feedbackIds` as a JSON array; nil when there are none.
    /// - Throws: `invalid-input` (400).
    static func ids(_ body: JSONObject) throws(APIError) -> String? {
        guard let ids = try body.texts("feedbackIds") else { return nil }
        guard ids.count <= maximumCount, ids.allSatisfy({ $0.utf8.count <= maximumLength }) else {
            throw .invalidInput("feedbackIds may be \(maximumCount) ids of at most \(maximumLength) bytes.")
        }
        return JSONText.list(ids)
    }

    /// `questionValues` as a JSON object of texts and numbers; nil when there are none.
    /// - Throws: `invalid-input` (400).
    static func values(_ body: JSONObject) throws(APIError) -> String? {
        guard let value = body.present("questionValues") else { return nil }
        guard let answers = value.object, answers.members.count <= maximumCount,
            answers.members.allSatisfy({ isAnswer($0.name, $0.value) })
        else {
            throw .invalidInput(
                "questionValues must be an object of at most \(maximumCount) strings and numbers, "
                    + "each of at most \(maximumLength) bytes.")
        }
        return JSONText.object(answers)
    }

    private static func isAnswer(_ name: String, _ value: JSONValue) -> Bool {
        guard name.utf8.count <= maximumLength else { return false }
        if let text = value.string { return text.utf8.count <= maximumLength }
        return value.double != nil
    }
}

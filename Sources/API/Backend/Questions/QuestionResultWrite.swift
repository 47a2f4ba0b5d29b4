import Domain
import JSON
import Storage

/// What a backend says of an answer, checked as far as that goes without the store. Other members are overlooked.
struct QuestionResultWrite: Sendable {
    private static let metaLimit = 100

    private let urlID: String?
    private let value: Int64?
    private let questionID: String?
    private let userID: String?
    private let guestID: String?
    private let commentID: String?
    private let meta: Change<String>

    /// - Throws: `invalid-input` (400).
    init(_ body: JSONObject) throws(APIError) {
        let reader = PatchReader(body: body)
        urlID = try reader.text("urlId", limit: 3 * PageIdentity.maximumLength).value.map { raw throws(APIError) in
            guard let urlID = PageIdentity.canonical(raw), urlID != LiveRoomName.feed else {
                throw .invalidInput("urlId names no page.")
            }
            return urlID
        }
        value = try body["value"].map { value throws(APIError) in
            guard let whole = Self.whole(value) else {
                throw .invalidInput("value must be a whole number of at most 32 bits.")
            }
            return whole
        }
        questionID = try reader.text("questionId", limit: 1000).value
        userID = try reader.text("userId", limit: 1100).value
        guestID = try reader.text("anonUserId", limit: 1000).value.map {
            $0.isEmpty || Identifier.isGuest($0) ? $0 : "anon:\($0)"
        }
        commentID = try reader.text("commentId", limit: 1000).value
        meta = try Self.meta(body)
    }

    /// - Throws: `invalid-input` (400) for what a new answer must have.
    static func new(_ body: JSONObject) throws(APIError) -> QuestionResultWrite {
        for name in ["urlId", "value", "questionId"] where body.present(name) == nil {
            throw .invalidInput("\(name) is missing.")
        }
        return try QuestionResultWrite(body)
    }

    /// Of a number or of digits, with at most 32 bits.
    static func whole(_ value: JSONValue) -> Int64? {
        guard let number = value.integer ?? value.string.flatMap({ Int64($0) }), Int32(exactly: number) != nil else {
            return nil
        }
        return number
    }

    /// Whole numbers stand without a point.
    private static func text(_ bound: Double) -> String { Int64(exactly: bound).map { String($0) } ?? String(bound) }

    private static func meta(_ body: JSONObject) throws(APIError) -> Change<String> {
        guard let value = body["meta"] else { return .keep }
        if value.isNull { return .clear }
        guard let items = try body.objects("meta"), items.count <= metaLimit else {
            throw .invalidInput("meta must be a list of at most \(metaLimit) items.")
        }
        var kept: [JSONValue] = []
        for item in items {
            guard let name = item["name"]?.string, let values = try item.texts("values"), values.count <= metaLimit,
                name.utf8.count <= 1000, values.allSatisfy({ $0.utf8.count <= 1000 })
            else { throw .invalidInput("An item of meta has a name and a list of values.") }
            var object = JSONObject()
            object.append("name", .string(name))
            object.append("values", .array(values.map { .string($0) }))
            kept.append(.object(object))
        }
        return .set(JSONText.text(.array(kept)) ?? "[]")
    }

    /// - Throws: `invalid-input` (400), `invalid-user` (422) for what is not there.
    func applied(
        to former: QuestionResult, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> QuestionResult {
        var result = former
        result.urlID = urlID ?? former.urlID
        result.value = value ?? former.value
        result.questionID = questionID ?? former.questionID
        let tenant = visit.tenant.id
        guard let config = try QuestionConfigSQL.find([result.questionID], tenant: tenant, in: &session).first else {
            throw .invalidInput("There is no question with this questionId.")
        }
        guard config.bounds.contains(Double(result.value)) else {
            throw .invalidInput(
                "value must be from \(Self.text(config.bounds.lowerBound)) to \(Self.text(config.bounds.upperBound)).")
        }
        if let userID { result.userID = userID.isEmpty ? "" : try visit.user(userID, in: &session).key }
        result.guestID = guestID ?? former.guestID
        result.meta = meta.applied(to: former.meta)
        guard let commentID else { return result }
        result.commentID = commentID.isEmpty ? nil : commentID
        if !commentID.isEmpty {
            guard let comment = try CommentSQL.find(commentID, tenant: tenant, in: &session), !comment.isDeleted else {
                throw .invalidInput("There is no comment with this commentId.")
            }
        }
        return result
    }
}

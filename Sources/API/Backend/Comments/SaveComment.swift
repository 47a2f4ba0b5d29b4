import Domain
import JSON
import Server
import Storage

extension BackendCommentRoutes {
    /// Comments of one call at most.
    private static let bulkLimit = 1000
    /// Comments of one unit of the writer.
    private static let bulkPart = 50

    /// Adds a comment in anybody's name (contract: admin 4, 5.1).
    static func saveComment(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let saver = try CommentSaver(visit)
        let input = try NewBackendComment(visit.call.bodyObject(), visit, in: &session)
        return { (session) throws(APIError) -> Reply in
            let place: CommentSaver.Place
            do throws(APIError) {
                place = try saver.check(input, isOneOfMany: false, in: &session)
            } catch {
                guard error.code == CommentSaver.bannedCode else { throw error }
                // The note of it stays.
                return .refused(error)
            }
            var pages = WrittenPages()
            let saved = try saver.save(input, place, on: &pages, in: &session)
            try pages.touch(in: &session)
            saver.note(place, at: session.now)
            return .json(saved)
        }
    }

    /// Adds many, each for itself, in the order given, some at a time.
    static func saveCommentsBulk(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> PartUnit {
        let saver = try CommentSaver(visit)
        var inputs: [Result<NewBackendComment, APIError>] = []
        for item in try bulkItems(visit) { inputs.append(try decoded(item, visit, in: &session)) }
        return part(inputs[...], behind: SavedComments(), saver)
    }

    private static func part(
        _ inputs: ArraySlice<Result<NewBackendComment, APIError>>, behind saved: SavedComments, _ saver: CommentSaver
    ) -> PartUnit {
        { (session) throws(APIError) -> PartOutcome in
            var results = saved
            var pages = WrittenPages()
            for input in inputs.prefix(bulkPart) {
                results.items.append(try saveItem(input, saver, on: &pages, in: &session))
            }
            try pages.touch(in: &session)
            let rest = inputs.dropFirst(bulkPart)
            return rest.isEmpty ? .done(.json(results)) : .more(part(rest, behind: results, saver))
        }
    }

    private static func bulkItems(_ visit: BackendVisit) throws(APIError) -> [JSONValue] {
        guard let items = (try? JSONValue.parse(visit.call.request.body))?.array else {
            throw APIError(400, "malformed-json", "The body must be a JSON array.")
        }
        guard items.count <= bulkLimit else {
            throw .invalidInput("At most \(bulkLimit) comments are taken at once.")
        }
        return items
    }

    private static func decoded(
        _ item: JSONValue, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> Result<NewBackendComment, APIError> {
        guard let body = item.object else {
            return .failure(APIError(422, "invalid-input", "A comment must be a JSON object."))
        }
        do {
            return .success(try NewBackendComment(body, visit, in: &session))
        } catch {
            return .failure(try refusal(error))
        }
    }

    /// What is refused is found out before anything is written, so that a refused one leaves nothing among the others.
    private static func saveItem(
        _ input: Result<NewBackendComment, APIError>, _ saver: CommentSaver, on pages: inout WrittenPages,
        in session: inout Session
    ) throws(APIError) -> SavedComments.Item {
        switch input {
        case .failure(let error): return .refused(error)
        case .success(let input):
            let place: CommentSaver.Place
            do {
                place = try saver.check(input, isOneOfMany: true, in: &session)
            } catch {
                return .refused(try refusal(error))
            }
            return .saved(try saver.save(input, place, on: &pages, in: &session))
        }
    }

    /// A refusal that concerns one comment only.
    private static func refusal(_ error: APIError) throws(APIError) -> APIError {
        guard error.reroute == nil, error.status < 500 else { throw error }
        return error
    }
}

/// The answer to a bulk call: an array, with refusals in their places.
private struct SavedComments: JSONWritable, Sendable {
    enum Item: Sendable {
        case saved(SavedComment)
        case refused(APIError)
    }

    var items: [Item] = []

    func write(to json: inout JSONWriter) {
        json.beginArray()
        for item in items {
            switch item {
            case .saved(let saved): saved.write(to: &json)
            case .refused(let error): ErrorBody(error: error).write(to: &json)
            }
        }
        json.endArray()
    }
}

/// The answer to a comment that was saved.
struct SavedComment: JSONWritable, Sendable {
    let comment: BackendComment
    /// nil when it is nobody's.
    let user: UserSession?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("comment", comment)
            json.key("user")
            if let user { user.write(to: &json) } else { json.null() }
        }
    }
}

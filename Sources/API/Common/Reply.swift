import Domain
import HTTP1
import JSON
import Server
import Translations

/// What a handler gives back: mostly a value that the loop writes as JSON, so that the writer's thread only writes rows.
package enum Reply: Sendable {
    /// 200 with a JSON body.
    case json(any JSONWritable & Sendable)
    /// 200 with JSON that may be packed.
    case packable(any Packable & Sendable)
    /// Anything else.
    case response(Response)
    /// A refusal whose effects are kept, such as a key that is used up. Errors that are thrown undo everything.
    case refused(APIError)

    /// `{"status":"success"}`.
    static let success = Reply.json(Success())

    /// The finished answer. Called on the loop.
    /// - Parameters:
    ///   - language: the reader's, for refusals.
    ///   - acceptsGzip: the client takes answers that are packed.
    func response(in language: Language, acceptsGzip: Bool) -> Response {
        switch self {
        case .packable(let value): value.response(acceptsGzip: acceptsGzip)
        case .response(let response): response
        case .refused(let error): ErrorBody(error: error, language: language).response()
        case .json(let value):
            Response(status: 200, headers: ["content-type": jsonType], body: .bytes(value.jsonBytes(capacity: 2048)))
        }
    }
}

/// An answer that has its greatest part in a compressed form already.
package protocol Packable {
    /// The finished answer, packed where the client takes that. Called on the loop.
    func response(acceptsGzip: Bool) -> Response
}

let jsonType = "application/json; charset=utf-8"

/// The empty success of the contract.
struct Success: JSONWritable, Sendable {
    func write(to json: inout JSONWriter) {
        json.object { json in json.success() }
    }
}

/// A success with members written by a closure.
struct Answer: JSONWritable, Sendable {
    let members: @Sendable (inout JSONWriter) -> Void

    init(_ members: @escaping @Sendable (inout JSONWriter) -> Void) { self.members = members }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            members(&json)
        }
    }
}

extension JSONWriter {
    /// The first member of every success.
    mutating func success() { member("status", "success") }
}

/// The closed error body (contract: public 2.1).
struct ErrorBody: JSONWritable {
    let error: APIError
    /// Of `translatedError`.
    var language = Language.english

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", "failed")
            json.member("reason", error.reason)
            json.member("code", error.code)
            if let phrase = error.phrase {
                let sentence = Wording.of(language).sentence(phrase, detail: error.phraseDetail)
                json.member("translatedError", sentence)
            }
            json.member("bannedUntil", ifPresent: error.bannedUntil)
            json.member("maxCharacterLength", ifPresent: error.maxCharacterLength)
            if let config = error.customConfig { json.member("customConfig", JSONValue.object(config)) }
        }
    }

    func response() -> Response {
        var headers: HeaderFields = ["content-type": jsonType]
        if let seconds = error.retryAfter { headers.add("retry-after", String(seconds)) }
        return Response(status: error.status, headers: headers, body: .bytes(jsonBytes()))
    }
}

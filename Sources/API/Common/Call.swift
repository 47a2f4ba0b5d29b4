import Bytes
import Domain
import HTTP1
import JSON
import Live
import Server

/// One request, decoded as far as every route needs it.
package struct Call: Sendable {
    /// The request as it came.
    let request: Request
    /// Decoded path parameters.
    let parameters: PathParameters
    /// Decoded query; `+` is literal except for form-style clients (contract: public 1.2).
    let query: Query
    /// Where the client comes from, behind trusted proxies.
    let clientAddress: ClientAddress
    /// What all requests share.
    let services: Services

    /// - Throws: `invalid-input` (400) when the query is not UTF-8.
    init(_ request: Request, _ parameters: PathParameters, _ services: Services) throws(APIError) {
        guard let query = Query(raw: request.head.rawQuery, plusIsSpace: Self.isFormStyle(request.head)) else {
            throw .invalidInput("The query is not valid UTF-8.")
        }
        self.request = request
        self.parameters = parameters
        self.query = query
        self.services = services
        clientAddress = services.proxies.clientAddress(
            peer: request.peerAddress, forwarded: request.head.headers.all("x-forwarded-for"))
    }

    private static func isFormStyle(_ head: RequestHead) -> Bool {
        if head.rawPath.hasPrefix("/sub") || head.rawPath.hasPrefix("/user-presence-status") { return false }
        guard head.rawQuery.utf8.contains(0x2B) else { return false }
        if head.headers["user-agent"]?.hasSuffix("/go") == true { return true }
        return Substring(head.rawQuery).contains("%2B") || Substring(head.rawQuery).contains("%2b")
    }

    // MARK: Parameters

    /// A query parameter; an empty one counts as absent.
    func text(_ name: String) -> String? {
        guard let value = query[name], !value.isEmpty else { return nil }
        return value
    }

    /// A query parameter that must be there.
    func required(_ name: String) throws(APIError) -> String {
        guard let value = text(name) else { throw .invalidInput("The query parameter \(name) is missing.") }
        return value
    }

    /// `true`, `false`, `1` or `0`; nil when absent.
    func flag(_ name: String, status: Int = 400) throws(APIError) -> Bool? {
        switch text(name)?.lowercased() {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        default: throw APIError(status, "invalid-input", "The query parameter \(name) must be true or false.")
        }
    }

    /// A whole number in digits, which may be written with an empty fraction (`3.0`); nil when absent.
    func integer(_ name: String, code: String = "invalid-input", status: Int? = nil) throws(APIError) -> Int64? {
        guard let text = text(name) else { return nil }
        if let number = Self.whole(text) { return number }
        let status = status ?? (code == "invalid-input" ? 400 : 422)
        throw APIError(status, code, "The query parameter \(name) must be a whole number.")
    }

    private static func whole(_ text: String) -> Int64? {
        let parts = text.utf8.split(separator: ASCII.dot, maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts[0].first == ASCII.hyphen ? parts[0].dropFirst() : parts[0]
        guard digits.allSatisfy(ASCII.isDigit), parts.count == 1 || !parts[1].isEmpty,
            parts.dropFirst().allSatisfy({ $0.allSatisfy { $0 == ASCII.zero } })
        else { return nil }
        return Int64(Substring(parts[0]))
    }

    /// A whole number that may not be negative; nil when absent.
    func count(_ name: String, code: String) throws(APIError) -> Int? {
        guard let number = try integer(name, code: code) else { return nil }
        guard number >= 0 else { throw APIError(422, code, "The query parameter \(name) may not be negative.") }
        return Int(min(number, 1_000_000_000))
    }

    /// All values of a list, given as repeated keys or with commas.
    func list(_ name: String) -> [String] {
        // By bytes, and in an array: finding characters would take longer than all else for lists of ids.
        query.all(name).flatMap { value in
            [UInt8](value.utf8).split(separator: ASCII.comma).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A path parameter; empty when the route has none of that name.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// The page that the call is about.
    /// - Throws: `missing-url-id` (422).
    func pageID() throws(APIError) -> String {
        guard let page = PageIdentity.canonical(query["urlId"] ?? ""), page != LiveRoomName.feed else {
            throw APIError(422, "missing-url-id", "The query parameter urlId is missing or names no page.")
        }
        return page
    }

    /// Echoed to live clients; missing is empty, more than 128 bytes are refused.
    func broadcastID() throws(APIError) -> String {
        let id = query["broadcastId"] ?? ""
        let limit = LiveEvent.maximumBroadcastLength
        guard id.utf8.count <= limit else { throw .invalidInput("The broadcastId has more than \(limit) bytes.") }
        return id
    }

    // MARK: Body

    /// The body as a JSON object.
    /// - Parameter mayBeEmpty: no body at all is an object without members.
    /// - Throws: `malformed-json` (400).
    func bodyObject(mayBeEmpty: Bool = false) throws(APIError) -> JSONObject {
        if mayBeEmpty, request.body.isEmpty { return JSONObject() }
        do {
            guard let object = try JSONValue.parse(request.body).object else {
                throw APIError(400, "malformed-json", "The body must be a JSON object.")
            }
            return object
        } catch let error as APIError {
            throw error
        } catch let error as JSONFailure {
            throw APIError(400, "malformed-json", "The body is no JSON: \(error.reason) at byte \(error.offset).")
        } catch {
            throw .internal("\(error)")
        }
    }
}

extension APIError {
    /// A request that does not fit the contract (400 on public routes).
    static func invalidInput(_ reason: String) -> APIError { APIError(400, "invalid-input", reason) }
}

extension JSONObject {
    /// Adds a text member; nil is left out.
    mutating func append(_ name: String, text: String?) {
        if let text { append(name, .string(text)) }
    }

    /// A text member; nil when absent or null.
    /// - Throws: `invalid-input` (400) when it is something else.
    func text(_ name: String) throws(APIError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw .invalidInput("\(name) must be a string.") }
        return text
    }

    /// A boolean member; nil when absent or null.
    func flag(_ name: String) throws(APIError) -> Bool? {
        guard let value = present(name) else { return nil }
        guard let flag = value.bool else { throw .invalidInput("\(name) must be true or false.") }
        return flag
    }

    /// A number member; nil when absent or null.
    func number(_ name: String) throws(APIError) -> Double? {
        guard let value = present(name) else { return nil }
        guard let number = value.double else { throw .invalidInput("\(name) must be a number.") }
        return number
    }

    /// A list of objects; nil when absent or null.
    func objects(_ name: String) throws(APIError) -> [JSONObject]? {
        guard let value = present(name) else { return nil }
        guard let items = value.array else { throw .invalidInput("\(name) must be a list.") }
        let objects = items.compactMap(\.object)
        guard objects.count == items.count else { throw .invalidInput("\(name) must be a list of objects.") }
        return objects
    }

    /// A list of strings; nil when absent or null.
    func texts(_ name: String) throws(APIError) -> [String]? {
        guard let value = present(name) else { return nil }
        guard let items = value.array else { throw .invalidInput("\(name) must be a list.") }
        let texts = items.compactMap(\.string)
        guard texts.count == items.count else { throw .invalidInput("\(name) must be a list of strings.") }
        return texts
    }
}

extension Substring {
    fileprivate func contains(_ text: String) -> Bool {
        var rest = utf8
        while rest.count >= text.utf8.count {
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

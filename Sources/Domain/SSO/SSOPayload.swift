import JSON

/// What an `sso` parameter holds, before anything of it is believed (contract: public 3.1).
package enum SSOPayload: Sendable, Equatable {
    /// A site that uses sign-on, and a visitor who is not signed in.
    case nobody
    /// Signed data: the hash covers the timestamp's decimal text followed by the base64 text.
    case secure(data: String, hash: String, timestamp: Int64)
    /// Unsigned data of a user.
    case simple(JSONObject)

    /// - Parameter text: the parameter, query-decoded.
    /// - Throws: `malformed-sso` (401) when this is no JSON object or a signed one is incomplete.
    package static func parse(_ text: String) throws(APIError) -> SSOPayload {
        guard let value = try? JSONValue.parse(text), let object = value.object else { throw .malformedSSO() }
        if let value = object.present("userDataJSONBase64"), value != .string("") {
            guard let data = value.string else { throw .malformedSSO("The SSO userDataJSONBase64 is no text.") }
            guard let hash = object.present("verificationHash")?.string else {
                throw .malformedSSO("The SSO data has no verificationHash.")
            }
            guard let timestamp = timestamp(object["timestamp"]) else {
                throw .malformedSSO("The SSO data has no timestamp in milliseconds.")
            }
            return .secure(data: data, hash: hash, timestamp: timestamp)
        }
        if let user = object.present("simpleSSOUser")?.object { return nameable(user) }
        return object["userDataJSONBase64"] == nil ? nameable(object) : .nobody
    }

    private static func nameable(_ user: JSONObject) -> SSOPayload {
        let names = ["id", "username", "email"]
        return names.contains { text(user[$0]) != nil } ? .simple(user) : .nobody
    }

    private static func timestamp(_ value: JSONValue?) -> Int64? {
        value?.integer ?? value?.string.flatMap { Int64($0) }
    }

    /// A non-empty text; numbers count as their decimal form.
    static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text) where !text.isEmpty: text
        case .integer(let number): String(number)
        default: nil
        }
    }
}

extension APIError {
    /// A single sign-on parameter that cannot be accepted. Never downgraded to an anonymous visit.
    package static func malformedSSO(_ reason: String = "SSO Request Malformed") -> APIError {
        APIError(401, "malformed-sso", reason, phrase: .signOnBroken)
    }
}

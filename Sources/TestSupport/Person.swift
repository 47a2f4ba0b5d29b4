import Bytes
import Crypto
import Foundation
import JSON

/// Somebody made up for tests.
package struct Person: Sendable {
    /// As a site knows it, without the tenant.
    package var id: String
    package var username: String
    package var email: String
    /// More members of the sign-on data, in order, for example `["isAdmin": true]`.
    package var extras: JSONValue

    package init(_ id: String, username: String? = nil, email: String? = nil, extras: JSONValue = [:]) {
        self.id = id
        self.username = username ?? id
        self.email = email ?? "\(id)@example.com"
        self.extras = extras
    }

    /// `reader-1`, `reader-2`, …
    package static func reader(_ number: Int) -> Person { Person("reader-\(number)") }

    /// Somebody who writes.
    package static let author = Person("author")

    /// Somebody with the rights of an administrator, when signed.
    package static let admin = Person("admin", extras: ["isAdmin": true])

    /// Somebody with the rights of a moderator, when signed.
    package static let moderator = Person("moderator", extras: ["isModerator": true])

    /// The members that a sign-on carries.
    package var data: JSONValue {
        var object = JSONObject()
        object.append("id", .string(id))
        object.append("email", .string(email))
        object.append("username", .string(username))
        for (name, value) in extras.object?.members ?? [] { object.append(name, value) }
        return .object(object)
    }
}

/// Values of the query parameter `sso`.
package enum SSO {
    /// A signed token.
    /// - Parameters:
    ///   - key: the tenant's API key.
    ///   - milliseconds: when it was signed, since 1970; nil is now.
    package static func secure(_ person: Person, key: String, milliseconds: Int64? = nil) -> String {
        let data = Base64.encode(person.data.jsonBytes())
        let timestamp = milliseconds ?? now
        let hash = Hex.encode(HMAC.sha256(Array("\(timestamp)\(data)".utf8), key: Array(key.utf8)))
        let token: JSONValue = [
            "userDataJSONBase64": .string(data), "verificationHash": .string(hash), "timestamp": .integer(timestamp),
        ]
        return String(decoding: token.jsonBytes(), as: UTF8.self)
    }

    /// An unsigned token.
    package static func simple(_ person: Person) -> String {
        let token: JSONValue = ["simpleSSOUser": person.data]
        return String(decoding: token.jsonBytes(), as: UTF8.self)
    }

    /// Milliseconds since 1970.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

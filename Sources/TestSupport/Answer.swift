import JSON

/// What the server answered.
package struct Answer: Sendable {
    /// For example 200.
    package let status: Int
    /// In the order they came, names in lower case.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// The parsed body; nil when it is no JSON.
    package let json: JSONValue?

    init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
        json = try? JSONValue.parse(body)
    }

    /// The first header of that name, in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The value at a path in the body: `answer["comments", 0, "_id"]?.string`.
    package subscript(_ path: JSONStep...) -> JSONValue? { json?.value(at: path) }

    /// The `code` of a refusal; nil when the body has none.
    package var code: String? { self["code"]?.string }

    /// Whether the status is 2xx and the body says `success`.
    package var isSuccess: Bool { (200..<300).contains(status) && self["status"]?.string == "success" }

    var isJSON: Bool { header("content-type")?.lowercased().hasPrefix("application/json") == true }
}

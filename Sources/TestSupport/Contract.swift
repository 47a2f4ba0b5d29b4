import Foundation
import JSON

/// The operations of the contract and what their answers must look like.
package struct Contract: Sendable {
    /// One operation.
    package struct Operation: Sendable {
        /// For example `GET`.
        package let method: String
        /// With parameters in braces, for example `/comments/{tenantId}`.
        package let path: String
        package let id: String
        /// Names of the query parameters, and whether the contract calls them required.
        package let query: [String: Bool]
        /// By status, or `default`.
        package let answers: [String: ContractType]
        let segments: [Substring]
    }

    /// All of them, sorted by path and method as in the file.
    package let operations: [Operation]
    /// By name.
    package let schemas: [String: ContractType]

    private static let loaded = Result {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = sources.deletingLastPathComponent().appendingPathComponent("Tests/ContractTests/contract.json")
        return try Contract(JSONValue.parse(Array(Data(contentsOf: file))))
    }

    /// What the words of the contract allow that its schemas do not have: whatever a site keeps with a comment, and what is
    /// only there for who asks for a tree, or for somebody's marks.
    private static let beyondSchemas: JSONValue = [
        "APIComment": [
            "meta": ["null", ["map", "any"]], "hasChildren": "boolean", "children": ["array", "#APIComment"],
            "isFlagged": "boolean", "isBlocked": "boolean", "isVotedUp": "boolean", "isVotedDown": "boolean",
            "myVoteId": "string",
        ]
    ]

    /// The contract in `Tests/ContractTests/contract.json`, read once.
    package static func load() throws -> Contract { try loaded.get() }

    /// - Throws: `ContractFault` when the description is none.
    package init(_ description: JSONValue) throws(ContractFault) {
        guard let operations = description.object?["operations"]?.object,
            let schemas = description.object?["schemas"]?.object
        else { throw ContractFault("operations or schemas are missing") }
        self.operations = try operations.members.map { (name, entry) throws(ContractFault) in
            try Operation(name, entry)
        }
        var types: [String: ContractType] = [:]
        for (name, type) in schemas.members { types[name] = try ContractType(type) }
        for (name, keys) in Self.beyondSchemas.object?.members ?? [] {
            guard case .object(var object) = types[name], let members = keys.object else { continue }
            object.add(try ContractObject(members))
            types[name] = .object(object)
        }
        self.schemas = types
    }

    /// The operation that a request is for; nil when there is none.
    /// - Parameters:
    ///   - path: as sent, without the query. A slash at its end counts for nothing, and moderation may leave the
    ///     segment `mod_api` out.
    package func operation(_ method: String, _ path: String) -> Operation? {
        let segments = path.split(separator: "/")
        // Fixed segments win over parameters.
        return operations.filter { $0.method == method && $0.matches(segments) }.max {
            $0.fixedCount < $1.fixedCount
        }
    }
}

extension Contract.Operation {
    init(_ name: String, _ entry: JSONValue) throws(ContractFault) {
        let words = name.split(separator: " ")
        guard words.count == 2, let id = entry.object?["id"]?.string, let answers = entry.object?["answers"]?.object
        else { throw ContractFault("\(name) is no operation") }
        method = String(words[0])
        path = String(words[1])
        segments = words[1].split(separator: "/")
        self.id = id
        var types: [String: ContractType] = [:]
        for (status, type) in answers.members { types[status] = try ContractType(type) }
        self.answers = types
        var query: [String: Bool] = [:]
        for (name, _) in entry.object?["query"]?.object?.members ?? [] {
            query[name.hasSuffix("!") ? String(name.dropLast()) : name] = name.hasSuffix("!")
        }
        self.query = query
    }

    var fixedCount: Int { segments.count { !$0.hasPrefix("{") } }

    func matches(_ sent: [Substring]) -> Bool {
        Self.match(segments, sent) || Self.match(segments.filter { $0 != "mod_api" }, sent)
    }

    private static func match(_ pattern: [Substring], _ sent: [Substring]) -> Bool {
        pattern.count == sent.count && zip(pattern, sent).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

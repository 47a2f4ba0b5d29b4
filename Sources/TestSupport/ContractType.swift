import JSON

/// What a value in an answer may be, as `contract.json` writes it.
package indirect enum ContractType: Sendable {
    case string
    /// A whole number of 32 bits.
    case integer
    case int64
    case number
    case boolean
    case dateTime
    case any
    /// A schema by name.
    case schema(String)
    case nullable(ContractType)
    case array(ContractType)
    case map(ContractType)
    /// Exactly these values.
    case values([JSONValue])
    case either([ContractType])
    case object(ContractObject)

    /// - Throws: `ContractFault` when the description is none.
    init(_ description: JSONValue) throws(ContractFault) {
        switch description {
        case .string(let word): self = try Self.plain(word)
        case .array(let parts): self = try Self.composed(parts)
        case .object(let members): self = .object(try ContractObject(members))
        default: throw ContractFault("no type: \(description)")
        }
    }

    private static func plain(_ word: String) throws(ContractFault) -> ContractType {
        switch word {
        case "string": return .string
        case "integer": return .integer
        case "int64": return .int64
        case "number": return .number
        case "boolean": return .boolean
        case "date-time": return .dateTime
        case "any": return .any
        case _ where word.hasPrefix("#"): return .schema(String(word.dropFirst()))
        default: throw ContractFault("no type: \(word)")
        }
    }

    private static func composed(_ parts: [JSONValue]) throws(ContractFault) -> ContractType {
        let rest = Array(parts.dropFirst())
        switch (parts.first?.string, rest.count) {
        case ("null", 1): return .nullable(try ContractType(rest[0]))
        case ("array", 1): return .array(try ContractType(rest[0]))
        case ("map", 1): return .map(try ContractType(rest[0]))
        case ("enum", 1...): return .values(rest)
        case ("either", 1...): return .either(try rest.map { (part) throws(ContractFault) in try ContractType(part) })
        default: throw ContractFault("no type: \(parts)")
        }
    }
}

/// The keys of an object.
package struct ContractObject: Sendable {
    /// The known keys and what their values may be.
    package private(set) var keys: [String: ContractType] = [:]
    /// Keys that must be there.
    package private(set) var required: Set<String> = []
    /// What the values of other keys may be; nil when there may be none, whatever the clients would let pass.
    package private(set) var others: ContractType?

    /// Takes other keys over; none of them becomes required.
    mutating func add(_ more: ContractObject) { keys.merge(more.keys) { $1 } }

    init(_ members: JSONObject) throws(ContractFault) {
        for (name, value) in members.members {
            if name == "*" {
                if value != .string("open") { others = try ContractType(value) }
            } else if name.hasSuffix("!") {
                keys[String(name.dropLast())] = try ContractType(value)
                required.insert(String(name.dropLast()))
            } else {
                keys[name] = try ContractType(value)
            }
        }
    }
}

/// Why the description of the contract cannot be read.
package struct ContractFault: Error, CustomStringConvertible {
    /// One sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}

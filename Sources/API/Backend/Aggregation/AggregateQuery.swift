import Domain
import JSON
import Storage

/// What a backend wants counted, checked (contract: admin 5.22).
struct AggregateQuery: Sendable {
    private static let operationLimit = 20
    private static let predicateLimit = 20
    private static let groupLimit = 5

    struct Operation: Sendable {
        enum Kind: String, Sendable {
            case sum, countDistinct, distinct, avg, min, max, count
        }

        let kind: Kind
        let field: AggregateField
        let alias: String
        /// Each element of the list counts.
        let isExpanded: Bool
    }

    struct Predicate: Sendable {
        let sql: [StaticString]
        let value: Value
    }

    struct Order: Sendable {
        let field: String
        let isDescending: Bool
    }

    let source: AggregateSource
    /// With different aliases.
    let operations: [Operation]
    let predicates: [Predicate]
    let groups: [AggregateField]
    let order: Order?

    /// - Throws: `invalid-input` (400).
    init(_ body: JSONObject, of source: AggregateSource) throws(APIError) {
        self.source = source
        let items = try body.objects("operations") ?? []
        guard (1...Self.operationLimit).contains(items.count) else {
            throw .invalidInput("operations must be a list of 1 to \(Self.operationLimit) objects.")
        }
        var operations: [Operation] = []
        for item in items {
            let operation = try Self.operation(item, source)
            operations.removeAll { $0.alias == operation.alias }
            operations.append(operation)
        }
        self.operations = operations
        let query = try body.objects("query") ?? []
        guard query.count <= Self.predicateLimit else {
            throw .invalidInput("query may have at most \(Self.predicateLimit) conditions.")
        }
        var predicates: [Predicate] = []
        for item in query { predicates.append(try Self.predicate(item, source)) }
        self.predicates = predicates
        groups = try Self.groups(body, source)
        order = try Self.order(body, operations.map(\.alias) + groups.map(\.name))
    }

    private static func operation(
        _ item: JSONObject, _ source: AggregateSource
    ) throws(APIError) -> Operation {
        guard let kind = try item.text("op").flatMap(Operation.Kind.init) else {
            throw .invalidInput("op must be sum, countDistinct, distinct, avg, min, max or count.")
        }
        let field = try source.field(item.text("field") ?? "")
        let isExpanded = try item.flag("expandArray") ?? false
        guard !isExpanded || field.kind == .list else { throw .invalidInput("\(field.name) is no list.") }
        if kind == .sum || kind == .avg, field.kind != .number, field.kind != .flag {
            throw .invalidInput("\(field.name) is no number.")
        }
        let alias = try item.filled("alias") ?? "\(kind.rawValue)_\(field.name)"
        guard alias.utf8.count <= 100, alias != "groups" else {
            throw .invalidInput("An alias has up to 100 bytes and is not \"groups\".")
        }
        return Operation(kind: kind, field: field, alias: alias, isExpanded: isExpanded)
    }

    private static func predicate(
        _ item: JSONObject, _ source: AggregateSource
    ) throws(APIError) -> Predicate {
        let field = try source.field(item.text("key") ?? "")
        guard let value = item["value"].flatMap(field.value) else {
            throw .invalidInput("\(field.name) cannot be compared with this value.")
        }
        return Predicate(sql: try comparison(item.text("operator") ?? "", field), value: value)
    }

    private static func comparison(
        _ word: String, _ field: AggregateField
    ) throws(APIError) -> [StaticString] {
        switch (word, field.kind) {
        case ("eq", .list), ("contains", .list): return has(field)
        case ("not_eq", .list): return ["NOT"] + has(field)
        case ("eq", _): return [field.sql, "IS ?"]
        case ("not_eq", _): return [field.sql, "IS NOT ?"]
        case ("greater_than", .text), ("greater_than", .number), ("greater_than", .date): return [field.sql, "> ?"]
        case ("less_than", .text), ("less_than", .number), ("less_than", .date): return [field.sql, "< ?"]
        case ("contains", .text): return ["instr(lower(", field.sql, "), lower(?)) > 0"]
        default:
            throw .invalidInput("\(field.name) cannot be compared by \"\(word.cut(to: 50))\".")
        }
    }

    private static func has(_ field: AggregateField) -> [StaticString] {
        ["EXISTS (SELECT 1 FROM json_each(", field.sql, ") AS j WHERE j.value = ?)"]
    }

    private static func groups(
        _ body: JSONObject, _ source: AggregateSource
    ) throws(APIError) -> [AggregateField] {
        var groups: [AggregateField] = []
        for name in try body.texts("groupBy") ?? [] {
            let field = try source.field(name)
            guard field.kind != .list, !groups.contains(where: { $0.name == name }) else {
                throw .invalidInput("groupBy may name each field once, and no list.")
            }
            groups.append(field)
        }
        guard groups.count <= groupLimit else {
            throw .invalidInput("groupBy may have at most \(groupLimit) fields.")
        }
        return groups
    }

    private static func order(_ body: JSONObject, _ names: [String]) throws(APIError) -> Order? {
        guard let value = body.present("sort") else { return nil }
        guard let sort = value.object, let field = try sort.text("field"), names.contains(field) else {
            throw .invalidInput("sort.field must be an alias or a field of groupBy.")
        }
        switch try sort.text("dir") {
        case "asc": return Order(field: field, isDescending: false)
        case "desc": return Order(field: field, isDescending: true)
        default: throw .invalidInput("sort.dir must be asc or desc.")
        }
    }
}

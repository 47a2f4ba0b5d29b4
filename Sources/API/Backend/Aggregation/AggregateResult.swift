import Domain
import JSON
import Storage

/// What was counted: one row for each group, one in all without groups.
struct AggregateResult: Sendable {
    /// Groups, and different values, of one answer at most.
    static let rowLimit = 10_000

    enum Outcome: Sendable {
        case number(Double)
        case text(String)
        case count(Int64)
        case counts([String: Int64])
        /// The smallest of nothing.
        case nothing
    }

    struct Item: JSONWritable, Sendable {
        /// Name and value.
        let groups: [(name: String, value: String)]
        var outcomes: [String: Outcome] = [:]

        func write(to json: inout JSONWriter) {
            json.object { json in
                for (alias, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
                    if case .nothing = outcome { continue }
                    json.key(alias)
                    outcome.write(to: &json)
                }
                guard !groups.isEmpty else { return }
                json.key("groups")
                json.object { json in
                    for group in groups {
                        json.key(group.name)
                        json.string(group.value)
                    }
                }
            }
        }
    }

    private(set) var items: [Item] = []
    private var places: [[String]: Int] = [:]

    /// - Throws: `invalid-input` (400) for more groups or values than can be answered.
    static func load(
        _ query: AggregateQuery, tenants: [String], in session: inout Session
    ) throws(APIError) -> AggregateResult {
        var result = AggregateResult()
        if query.groups.isEmpty { _ = result.place([], query) }
        for operation in query.operations { try result.add(operation, query, tenants, in: &session) }
        result.sort(query)
        return result
    }

    /// Rows that the query is over.
    static func scanned(
        _ query: AggregateQuery, tenants: [String], in session: inout Session
    ) throws(APIError) -> Int64 {
        let sql: [StaticString] = ["SELECT COUNT(*)", query.source.from] + conditions(query)
        return try session.query(composed: sql, values(query, tenants)) { (row) throws(APIError) in row.int64(0) }.first
            ?? 0
    }

    private static func conditions(_ query: AggregateQuery) -> [StaticString] {
        [query.source.condition] + query.predicates.flatMap { ["AND"] + $0.sql }
    }

    private static func values(_ query: AggregateQuery, _ tenants: [String]) -> [Value] {
        [.list(tenants)] + query.predicates.map(\.value)
    }

    private mutating func place(_ groups: [String], _ query: AggregateQuery) -> Int {
        if let place = places[groups] { return place }
        items.append(Item(groups: zip(query.groups.map(\.name), groups).map { ($0, $1) }))
        places[groups] = items.count - 1
        return items.count - 1
    }

    private mutating func add(
        _ operation: AggregateQuery.Operation, _ query: AggregateQuery, _ tenants: [String], in session: inout Session
    ) throws(APIError) {
        let groups = query.groups
        let rows = try session.query(
            composed: Self.statement(operation, query), Self.values(query, tenants)
        ) { (row) throws(APIError) -> (groups: [String], outcome: Outcome, value: String) in
            let names = groups.indices.map { groups[$0].text(row, $0) }
            let value = operation.field.text(row, groups.count)
            if operation.kind == .distinct { return (names, .count(row.int64(groups.count + 1)), value) }
            return (names, Self.outcome(operation, row, groups.count), value)
        }
        guard rows.count <= Self.rowLimit else {
            throw .invalidInput("There are more than \(Self.rowLimit) groups or values. Ask for fewer with query.")
        }
        for row in rows {
            let place = place(row.groups, query)
            guard operation.kind == .distinct, case .count(let count) = row.outcome else {
                items[place].outcomes[operation.alias] = row.outcome
                continue
            }
            var counts: [String: Int64] = [:]
            if case .counts(let known) = items[place].outcomes.removeValue(forKey: operation.alias) { counts = known }
            counts[row.value, default: 0] += count
            items[place].outcomes[operation.alias] = .counts(counts)
        }
        guard operation.kind == .distinct else { return }
        for place in items.indices where items[place].outcomes[operation.alias] == nil {
            items[place].outcomes[operation.alias] = .counts([:])
        }
    }

    private static func statement(_ operation: AggregateQuery.Operation, _ query: AggregateQuery) -> [StaticString] {
        let field: StaticString = operation.isExpanded ? "e.value" : operation.field.sql
        var sql: [StaticString] = ["SELECT"]
        for group in query.groups { sql += [group.sql, ","] }
        sql += measure(operation.kind, field)
        sql.append(query.source.from)
        if operation.isExpanded { sql += [", json_each(", operation.field.sql, ") AS e"] }
        sql += conditions(query)
        if operation.kind == .distinct { sql += ["AND", field, "IS NOT NULL"] }
        let columns = query.groups.count + (operation.kind == .distinct ? 1 : 0)
        if columns > 0 { sql += ["GROUP BY", ordinals[columns - 1]] }
        // One more than may be, so that it shows.
        sql.append("LIMIT 10001")
        return sql
    }

    private static let ordinals: [StaticString] = [
        "1", "1, 2", "1, 2, 3", "1, 2, 3, 4", "1, 2, 3, 4, 5", "1, 2, 3, 4, 5, 6",
    ]

    private static func measure(_ kind: AggregateQuery.Operation.Kind, _ field: StaticString) -> [StaticString] {
        switch kind {
        case .sum: ["TOTAL(", field, ")"]
        case .avg: ["AVG(", field, ")"]
        case .min: ["MIN(", field, ")"]
        case .max: ["MAX(", field, ")"]
        case .count: ["COUNT(", field, ")"]
        case .countDistinct: ["COUNT(DISTINCT", field, ")"]
        case .distinct: [field, ", COUNT(*)"]
        }
    }

    private static func outcome(
        _ operation: AggregateQuery.Operation, _ row: borrowing Row, _ column: Int
    ) -> Outcome {
        switch operation.kind {
        case .countDistinct: return .count(row.int64(column))
        case .sum, .avg, .count: return .number(row.double(column))
        case .min, .max, .distinct:
            if row.isNull(column) { return .nothing }
            switch operation.field.kind {
            case .number, .flag: return .number(row.double(column))
            case .text, .date, .list: return .text(operation.field.text(row, column))
            }
        }
    }

    private mutating func sort(_ query: AggregateQuery) {
        guard let order = query.order else { return }
        let isNumber = query.groups.contains { $0.name == order.field && $0.kind == .number }
        items.sort { left, right in
            let (left, right) = order.isDescending ? (right, left) : (left, right)
            guard let first = left.groups.first(where: { $0.name == order.field })?.value,
                let second = right.groups.first(where: { $0.name == order.field })?.value
            else {
                return (left.outcomes[order.field] ?? .nothing).isBelow(right.outcomes[order.field] ?? .nothing)
            }
            guard isNumber else { return first < second }
            return Double(first) ?? -.infinity < Double(second) ?? -.infinity
        }
    }
}

extension AggregateResult.Outcome: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .number(let number):
                json.key("numericValue")
                json.double(number)
            case .text(let text): json.member("stringValue", text)
            case .count(let count): json.member("distinctCount", count)
            case .counts(let counts):
                json.key("distinctCounts")
                json.object { json in
                    for (value, count) in counts.sorted(by: { $0.key < $1.key }) {
                        json.key(value)
                        json.int(count)
                    }
                }
            case .nothing: break
            }
        }
    }

    fileprivate func isBelow(_ other: AggregateResult.Outcome) -> Bool {
        if case .text(let text) = self, case .text(let other) = other { return text < other }
        return size < other.size
    }

    private var size: Double {
        switch self {
        case .number(let number): number
        case .count(let count): Double(count)
        case .counts(let counts): Double(counts.count)
        case .text, .nothing: -.greatestFiniteMagnitude
        }
    }
}

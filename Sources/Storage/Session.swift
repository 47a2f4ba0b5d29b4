import Domain
import SQLite

/// The database as one unit of work sees it: lent `inout` to a closure, gone when the closure returns.
///
/// Everything a unit does is one transaction. It commits if the unit returns and leaves nothing if the unit throws.
/// SQL is a literal with `?1` placeholders, so no value can become SQL.
package struct Session: ~Copyable {
    /// Milliseconds since 1970. On the writer it is above that of every unit that changed something before, so under
    /// a long burst of more than a thousand such units a second it runs ahead of the clock.
    package let now: Int64
    /// Whether this is the writer.
    package let canWrite: Bool
    /// Milliseconds that the statements of a read may take; nil for any time. What is known to take longer than an
    /// event loop's few throws `needsOffload` at once.
    package let budgetMilliseconds: Int?
    let connection: Connection
    /// What the lane keeps between units.
    let memory: LaneMemory
    /// Nil on a read lane.
    var outbox: Outbox?
    /// Why nothing more can be done: the statement budget ran out, or SQLite gave up the transaction. A unit that
    /// catches the error and goes on must not do half of its work outside a transaction.
    private(set) var failure: APIError?

    /// A session that reads.
    init(reading connection: Connection, now: Int64, budgetMilliseconds: Int? = nil, memory: LaneMemory) {
        self.connection = connection
        self.memory = memory
        self.now = now
        self.budgetMilliseconds = budgetMilliseconds
        canWrite = false
    }

    /// A session that writes.
    init(writing connection: Connection, now: Int64, outbox: Outbox, memory: LaneMemory) {
        self.connection = connection
        self.memory = memory
        self.now = now
        self.outbox = outbox
        budgetMilliseconds = nil
        canWrite = true
    }

    /// For statements that SQLite cannot interrupt at their budget, such as look-ups in a full-text index.
    ///
    /// Throws `needsOffload` where a read may not take so many milliseconds.
    package func requireTime(milliseconds: Int) throws(APIError) {
        guard let budgetMilliseconds, budgetMilliseconds < milliseconds else { return }
        throw .needsOffload
    }

    /// Takes back what this unit wrote and announced so far; the unit goes on. For what is only to look as if it were done.
    ///
    /// Throws `needsWrite` on a read lane, `unavailable` if the disk fails.
    package mutating func rewind() throws(APIError) {
        guard canWrite, let begun = outbox else { throw .needsWrite }
        if let failure { throw failure }
        do throws(SQLiteError) {
            // The savepoint that the writer runs every unit in.
            try connection.execute("ROLLBACK TO unit")
        } catch {
            throw failed(error)
        }
        memory.forgetAll()
        outbox = Outbox(stamps: begun.stamps, wallClock: begun.wallClock)
    }

    /// The row id of the latest INSERT of this unit.
    package var lastInsertRowID: Int64 { connection.lastInsertRowID }

    /// All rows of an answer, each made into a `T`. Also for `INSERT … RETURNING`, which throws `needsWrite` on a read
    /// lane.
    package mutating func query<T>(
        _ sql: StaticString, _ values: Value..., row: (borrowing Row) throws(APIError) -> T
    ) throws(APIError) -> [T] {
        var rows: [T] = []
        try scan(sql, values) { current throws(APIError) in
            rows.append(try row(current))
            return true
        }
        return rows
    }

    /// The first row of an answer, or nil if there is none.
    package mutating func first<T>(
        _ sql: StaticString, _ values: Value..., row: (borrowing Row) throws(APIError) -> T
    ) throws(APIError) -> T? {
        var first: T?
        try scan(sql, values) { current throws(APIError) in
            first = try row(current)
            return false
        }
        return first
    }

    /// Every row of an answer in turn, for answers that are not collected.
    package mutating func forEach(
        _ sql: StaticString, _ values: Value..., row: (borrowing Row) throws(APIError) -> Void
    ) throws(APIError) {
        try scan(sql, values) { current throws(APIError) in
            try row(current)
            return true
        }
    }

    /// As ``query(_:_:row:)``, for a statement that is put together from literals, which is prepared each time.
    package mutating func query<T>(
        composed parts: [StaticString], _ values: [Value], row: (borrowing Row) throws(APIError) -> T
    ) throws(APIError) -> [T] {
        var rows: [T] = []
        try walk(composed: parts, values) { current throws(APIError) in
            rows.append(try row(current))
            return true
        }
        return rows
    }

    /// Rows in turn until `row` says false, of a statement that is put together from literals.
    package mutating func walk(
        composed parts: [StaticString], _ values: [Value], row: (borrowing Row) throws(APIError) -> Bool
    ) throws(APIError) {
        if let failure { throw failure }
        let statement: Statement
        do {
            statement = try connection.prepare(parts.map(\.description).joined(separator: " "))
        } catch {
            throw failed(error)
        }
        try scan(statement, values, row: row)
    }

    /// Runs one statement and says how many rows it changed (those that triggers and foreign keys changed not counted).
    ///
    /// Throws `needsWrite` on a read lane, 409 `conflict` for a key that exists already, `unavailable` if the disk is
    /// full or failing.
    @discardableResult
    package mutating func run(_ sql: StaticString, _ values: Value...) throws(APIError) -> Int {
        guard canWrite else { throw .needsWrite }
        let before = connection.totalChanges
        try scan(sql, values) { _ in true }
        return connection.totalChanges == before ? 0 : connection.changes
    }

    /// Runs one statement at the end of the transaction, behind those of all units that share it and in the order in which
    /// they asked, if this unit keeps its work. For what costs much for each unit and little for many; no unit of the same
    /// batch sees it. Should it fail, the whole batch is refused.
    ///
    /// Throws `needsWrite` on a read lane.
    package mutating func atEnd(_ sql: StaticString, _ values: Value...) throws(APIError) {
        guard canWrite else { throw .needsWrite }
        outbox?.append(LateStatement(sql: sql, values: values))
    }

    /// Rows until `row` says false.
    mutating func scan(
        _ sql: StaticString, _ values: [Value], row: (borrowing Row) throws(APIError) -> Bool
    ) throws(APIError) {
        if let failure { throw failure }
        let statement: Statement
        do {
            statement = try connection.statement(sql)
        } catch {
            throw failed(error)
        }
        try scan(statement, values, row: row)
    }

    private mutating func scan(
        _ statement: Statement, _ values: [Value], row: (borrowing Row) throws(APIError) -> Bool
    ) throws(APIError) {
        guard canWrite || statement.isReadOnly else { throw .needsWrite }
        defer { statement.reset() }
        let current = Row(statement)
        do throws(SQLiteError) {
            try statement.bind(values)
        } catch {
            throw failed(error)
        }
        while try step(statement) {
            guard try row(current) else { return }
        }
    }

    private mutating func step(_ statement: Statement) throws(APIError) -> Bool {
        do {
            return try statement.step()
        } catch {
            throw failed(error)
        }
    }

    mutating func failed(_ error: SQLiteError) -> APIError {
        // A disk that turned read-only is no reason to look for a writer: this is the writer.
        let isDiskReadOnly = canWrite && error.code == .readOnly
        let refusal: APIError = isDiskReadOnly ? .unavailable(error.description) : APIError(error)
        if error.code == .interrupted || connection.isAutocommit { failure = refusal }
        return refusal
    }
}

extension Statement {
    /// Binds `values` to `?1`, `?2`, … One too many or too few is a mistake in the code, and is refused.
    func bind(_ values: [Value]) throws(SQLiteError) {
        guard values.count == parameterCount else {
            throw SQLiteError(
                extendedCode: SQLiteError.Code.misuse.rawValue,
                message: "\(values.count) values for \(parameterCount) placeholders", sql: sql)
        }
        for (index, value) in values.enumerated() {
            switch value {
            case .null: try bindNull(index + 1)
            case .integer(let number): try bind(number, index + 1)
            case .real(let number): try bind(number, index + 1)
            case .text(let text): try bind(text, index + 1)
            case .blob(let bytes): try bind(bytes, index + 1)
            }
        }
    }
}

/// Prepared statements of one connection, found by the address of their SQL literal.
///
/// A literal has one address for the life of the process, so finding it costs no reading of SQL. Two literals with the
/// same text may be two entries: that costs a little memory and is right all the same.
struct StatementCache {
    private struct Key: Hashable {
        let address: UInt
        let count: Int
    }

    private var statements: [Key: Statement] = [:]
    private let limit: Int
    private var uses = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { statements.count }

    /// The statement for `sql`, prepared by `prepare` if it is not at hand. Drops the one unused for longest when full.
    mutating func statement(
        for sql: StaticString, prepare: () throws(SQLiteError) -> Statement
    ) throws(SQLiteError) -> Statement {
        precondition(sql.hasPointerRepresentation, "a one-character literal is no statement")
        let key = Key(address: UInt(bitPattern: sql.utf8Start), count: sql.utf8CodeUnitCount)
        uses += 1
        if let known = statements[key] {
            known.lastUse = uses
            return known
        }
        let new = try prepare()
        if statements.count >= limit { dropOldest() }
        new.lastUse = uses
        statements[key] = new
        return new
    }

    mutating func removeAll() {
        statements.removeAll()
    }

    private mutating func dropOldest() {
        guard let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        statements[oldest.key] = nil
    }
}

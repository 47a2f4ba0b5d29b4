import CSQLite

/// One prepared statement. Belongs to its ``Connection``'s thread; finalized when the last reference goes.
///
/// Bind, step until false, ``reset()``. Placeholders are `?1`, `?2`, …; positions of placeholders start at 1,
/// of columns at 0, as in SQLite.
package final class Statement {
    let handle: OpaquePointer
    private let database: OpaquePointer
    // Keeps the database open for as long as a statement of it lives.
    private let owner: Connection.Handle
    /// When the cache last gave it out, in its own count.
    var lastUse = 0

    init(handle: OpaquePointer, owner: Connection.Handle) {
        self.handle = handle
        self.owner = owner
        database = owner.pointer
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Whether it leaves the database as it is. `BEGIN`, `COMMIT` and `SAVEPOINT` count as reading.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Whether it has been stepped and not reset since.
    package var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// The number of values it wants.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// The statement's text, without values.
    package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// Goes to the next row. False at the end.
    package func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw error(result)
        }
    }

    /// Makes it ready to run again and forgets its values. Never fails: what the last step said was thrown by ``step()``.
    package func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Binds NULL.
    package func bindNull(_ position: Int) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, Int32(position)))
    }

    /// Binds an integer.
    package func bind(_ value: Int64, _ position: Int) throws(SQLiteError) {
        try check(sqlite3_bind_int64(handle, Int32(position), value))
    }

    /// Binds a floating-point number. SQLite stores NaN as NULL.
    package func bind(_ value: Double, _ position: Int) throws(SQLiteError) {
        try check(sqlite3_bind_double(handle, Int32(position), value))
    }

    /// Binds text. NUL bytes inside are kept.
    package func bind(_ value: String, _ position: Int) throws(SQLiteError) {
        var value = value
        let result = value.withUTF8 { utf8 in
            // A nil pointer would bind NULL, and an empty string may have one.
            utf8.withMemoryRebound(to: CChar.self) { characters in
                guard let base = characters.baseAddress else { return parley_bind_text(handle, Int32(position), "", 0) }
                return parley_bind_text(handle, Int32(position), base, UInt64(characters.count))
            }
        }
        try check(result)
    }

    /// Binds UTF-8 bytes as text. The caller vouches that they are UTF-8.
    package func bind(text bytes: [UInt8], _ position: Int) throws(SQLiteError) {
        let result = bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return parley_bind_text(handle, Int32(position), "", 0) }
            return parley_bind_text(
                handle, Int32(position), base.assumingMemoryBound(to: CChar.self), UInt64(raw.count))
        }
        try check(result)
    }

    /// Binds bytes. No bytes at all is an empty blob, not NULL.
    package func bind(_ value: [UInt8], _ position: Int) throws(SQLiteError) {
        let result = value.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, !raw.isEmpty else {
                return sqlite3_bind_zeroblob(handle, Int32(position), 0)
            }
            return parley_bind_blob(handle, Int32(position), base, UInt64(raw.count))
        }
        try check(result)
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else { throw error(result) }
    }

    private func error(_ result: Int32) -> SQLiteError {
        SQLiteError(result, on: database, sql: sql)
    }
}

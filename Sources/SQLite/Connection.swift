import CSQLite

/// One connection to one database file. Not Sendable: it lives on one thread, so SQLite's own mutexes are left out
/// (`SQLITE_OPEN_NOMUTEX`, https://sqlite.org/threadsafe.html).
package final class Connection {
    /// What the connection may do with the file.
    package enum Access: Sendable {
        /// Reads and writes; makes the file if there is none.
        case readWrite
        /// Reads only. The file must exist.
        case readOnly
    }

    /// Closes the database when the connection and all its statements are gone.
    final class Handle {
        let pointer: OpaquePointer
        // Here, because SQLite keeps a bare pointer to it for as long as it may run a statement.
        let budget = Budget()
        var rowObserver: (any RowObserver)?
        var logPages = 0

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            sqlite3_close_v2(pointer)
        }
    }

    let handle: Handle
    private var cache: StatementCache
    // Memory that SQLite maps for as long as the connection is open.
    var changeIndex: UnsafeRawPointer?
    // Only the first connection can still say it, and only once.
    private static let isConfigured = parley_count_no_memory() == SQLITE_OK

    /// Opens `path`. At most `statementLimit` statements stay prepared.
    package init(path: String, access: Access, statementLimit: Int = 512) throws(SQLiteError) {
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        _ = Self.isConfigured
        var pointer: OpaquePointer?
        let result = sqlite3_open_v2(path, &pointer, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let pointer else { throw SQLiteError(result, on: nil) }
        guard result == SQLITE_OK else {
            let error = SQLiteError(result, on: pointer)
            sqlite3_close_v2(pointer)
            throw error
        }
        handle = Handle(pointer)
        cache = StatementCache(limit: statementLimit)
    }

    /// The prepared statement for a literal, ready to bind. It must be reset before the same literal is asked for again.
    package func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
        let statement = try cache.statement(for: sql) { () throws(SQLiteError) in
            try prepare(sql.description, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        }
        precondition(!statement.isRunning, "a statement cannot run inside itself")
        return statement
    }

    /// Prepares a statement that is not kept in the cache.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try prepare(sql, flags: 0)
    }

    /// Runs every statement of a script and discards rows. For migrations: anything hot is a literal.
    package func execute(script: String) throws(SQLiteError) {
        try Array(script.utf8).withUnsafeBufferPointer { utf8 throws(SQLiteError) in
            var rest = utf8[...]
            while !rest.isEmpty {
                let statement = try prepareFirst(of: &rest)
                while let statement, try statement.step() {}
            }
        }
    }

    /// Runs one statement without values and discards rows.
    package func execute(_ sql: StaticString) throws(SQLiteError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Whether no transaction is open. SQLite ends one by itself after some failures
    /// (https://sqlite.org/lang_transaction.html, section 2.5).
    package var isAutocommit: Bool { sqlite3_get_autocommit(handle.pointer) != 0 }

    /// Rows changed by the latest INSERT, UPDATE or DELETE, without what triggers and foreign keys did.
    package var changes: Int { Int(sqlite3_changes64(handle.pointer)) }

    /// Rows changed since the connection opened, all of them.
    package var totalChanges: Int { Int(sqlite3_total_changes64(handle.pointer)) }

    /// The row id of the latest INSERT of this connection.
    package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle.pointer) }

    /// Prepared statements held for reuse.
    package var cachedStatements: Int { cache.count }

    private func prepare(_ sql: String, flags: UInt32) throws(SQLiteError) -> Statement {
        var pointer: OpaquePointer?
        let result = sqlite3_prepare_v3(handle.pointer, sql, -1, flags, &pointer, nil)
        guard result == SQLITE_OK else { throw SQLiteError(result, on: handle.pointer, sql: sql) }
        guard let pointer else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "there is no statement in it", sql: sql)
        }
        return Statement(handle: pointer, owner: handle)
    }

    /// Prepares the first statement and moves `script` behind it. Nil for a piece that is only space or comment.
    private func prepareFirst(of script: inout Slice<UnsafeBufferPointer<UInt8>>) throws(SQLiteError) -> Statement? {
        let piece = UnsafeBufferPointer(rebasing: script)
        var pointer: OpaquePointer?
        let (result, used) = piece.withMemoryRebound(to: CChar.self) { characters in
            var tail: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v3(
                handle.pointer, characters.baseAddress, Int32(characters.count), 0, &pointer, &tail)
            let end = characters.baseAddress.map { start in tail.map { $0 - start } ?? characters.count }
            return (result, end ?? 0)
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(result, on: handle.pointer, sql: String(decoding: piece, as: UTF8.self))
        }
        script = script.dropFirst(used > 0 ? used : script.count)
        return pointer.map { Statement(handle: $0, owner: handle) }
    }
}

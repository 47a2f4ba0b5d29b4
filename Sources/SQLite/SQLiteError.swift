import CSQLite

/// What SQLite answered when it refused. Match it by ``code`` or ``isUniqueViolation``, never by ``message``.
///
/// Codes: https://sqlite.org/rescode.html
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code, for instance `SQLITE_CONSTRAINT_UNIQUE`.
    package let extendedCode: Int32
    /// SQLite's own sentence in English. For the log.
    package let message: String
    /// The statement that failed, without its values; nil outside a statement.
    package let sql: String?

    /// Makes an error from its parts.
    package init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// What `handle` says about its latest call, which returned `result`.
    init(_ result: Int32, on handle: OpaquePointer?, sql: String? = nil) {
        let said = handle.map { sqlite3_extended_errcode($0) } ?? result
        // A call refused as misuse leaves the connection's own code alone: believe the result then.
        extendedCode = said & 0xff == result & 0xff ? said : result
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        message = text.map { String(cString: $0) } ?? "no message"
        self.sql = sql
    }

    /// The primary result code: the low byte of ``extendedCode``.
    package var code: Code { Code(rawValue: extendedCode & 0xff) }

    /// A row with the same key exists already.
    package var isUniqueViolation: Bool {
        extendedCode == Self.constraintUnique || extendedCode == Self.constraintPrimaryKey
    }

    /// "code: message [sql]", for the log.
    package var description: String {
        "SQLite \(extendedCode): \(message)" + (sql.map { " [\($0)]" } ?? "")
    }

    // Macros that Swift cannot import, see https://sqlite.org/rescode.html#constraint_unique.
    private static let constraintUnique: Int32 = 19 | (8 << 8)
    private static let constraintPrimaryKey: Int32 = 19 | (6 << 8)

    /// A primary result code.
    package struct Code: RawRepresentable, Sendable, Hashable {
        /// SQLite's number.
        package let rawValue: Int32

        /// Wraps SQLite's number.
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Another connection holds the lock.
        package static let busy = Code(rawValue: SQLITE_BUSY)
        /// The progress handler, hence the budget, ended the statement.
        package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        /// The transaction around the statement is gone.
        package static let aborted = Code(rawValue: SQLITE_ABORT)
        /// The statement would write and may not.
        package static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// The disk is full, or `max_page_count` is reached.
        package static let full = Code(rawValue: SQLITE_FULL)
        /// The operating system refused to read or write.
        package static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The file cannot be opened.
        package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// Not enough memory.
        package static let noMemory = Code(rawValue: SQLITE_NOMEM)
        /// The file system cannot do what a write-ahead log needs.
        package static let cannotLog = Code(rawValue: SQLITE_PROTOCOL)
        /// The file is damaged.
        package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// The file is not a database.
        package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// A constraint of the schema refused the change.
        package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// The value does not fit what SQLite or the schema can hold.
        package static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        /// SQLite was called in a way it does not allow.
        package static let misuse = Code(rawValue: SQLITE_MISUSE)
    }
}

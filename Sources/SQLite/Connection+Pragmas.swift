import CSQLite

/// The settings of a connection that we use, each as a function. All are described at https://sqlite.org/pragma.html.
extension Connection {
    /// How much of a commit is on the disk when it returns.
    package enum Synchronous: Sendable {
        /// Every commit survives a power cut.
        case full
        /// The newest commits may be lost in a power cut; the file stays sound.
        case normal
        /// As `normal` while there is a write-ahead log that was never moved into the file; without one, a power cut may
        /// damage the file.
        case off
    }

    /// Turns the write-ahead log on. The file remembers it. Throws if the file system cannot do it.
    package func useWriteAheadLog() throws(SQLiteError) {
        let statement = try prepare("PRAGMA journal_mode = WAL")
        let mode = try statement.step() ? statement.text(0) : ""
        guard mode == "wal" else {
            throw SQLiteError(
                extendedCode: SQLITE_PROTOCOL, message: "the journal mode stays \(mode)", sql: statement.sql)
        }
    }

    /// Sets how durable a commit is.
    package func setSynchronous(_ level: Synchronous) throws(SQLiteError) {
        switch level {
        case .full: try execute(script: "PRAGMA synchronous = FULL")
        case .normal: try execute(script: "PRAGMA synchronous = NORMAL")
        case .off: try execute(script: "PRAGMA synchronous = OFF")
        }
    }

    /// Checks foreign keys from now on. Has no effect inside a transaction.
    package func enforceForeignKeys() throws(SQLiteError) {
        try execute(script: "PRAGMA foreign_keys = ON")
    }

    /// How long to wait for another connection's lock before `.busy`.
    package func setBusyTimeout(milliseconds: Int) {
        sqlite3_busy_timeout(handle.pointer, Int32(clamping: milliseconds))
    }

    /// How much memory the page cache may take.
    package func setCache(kibibytes: Int) throws(SQLiteError) {
        try execute(script: "PRAGMA cache_size = -\(kibibytes)")
    }

    /// Sorts and intermediate tables stay in memory.
    package func keepTemporariesInMemory() throws(SQLiteError) {
        try execute(script: "PRAGMA temp_store = MEMORY")
    }

    /// Overwrites deleted content where that costs no further page (https://sqlite.org/pragma.html#pragma_secure_delete).
    package func overwriteDeletedContentCheaply() throws(SQLiteError) {
        try execute(script: "PRAGMA secure_delete = FAST")
    }

    /// Functions and virtual tables named by the schema must be harmless ones, in case somebody else wrote the file.
    package func distrustSchema() throws(SQLiteError) {
        try execute(script: "PRAGMA trusted_schema = OFF")
    }

    /// Moves pages from the log to the database by itself after a commit that leaves so many pages in the log.
    package func setAutomaticCheckpoint(pages: Int) {
        sqlite3_wal_autocheckpoint(handle.pointer, Int32(clamping: pages))
    }

    /// A number that changes when another connection commits a change to the file.
    package func dataVersion() throws(SQLiteError) -> Int64 {
        let statement = try statement("PRAGMA data_version")
        defer { statement.reset() }
        return try statement.step() ? statement.int64(0) : 0
    }

    /// Counts the pages of the log from now on instead of moving them by itself.
    package func countLogPages() {
        sqlite3_wal_hook(
            handle.pointer,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<Handle>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(handle).toOpaque())
    }

    /// Pages in the log after the last commit of this connection, if it counts them.
    package var logPages: Int { handle.logPages }

    /// Moves pages from the log to the database, as many as can be without waiting for anybody; does nothing while
    /// another connection does it. Other connections may read and write meanwhile.
    package func checkpoint() throws(SQLiteError) {
        let result = sqlite3_wal_checkpoint_v2(handle.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard result == SQLITE_OK || result == SQLITE_BUSY else { throw SQLiteError(result, on: handle.pointer) }
    }

    /// Moves the whole log into the database and makes the log file empty. Waits for the busy timeout at most;
    /// throws `.busy` when a reader still needs the log (https://sqlite.org/c3ref/wal_checkpoint_v2.html).
    package func truncateWriteAheadLog() throws(SQLiteError) {
        let result = sqlite3_wal_checkpoint_v2(handle.pointer, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(result, on: handle.pointer) }
    }
}

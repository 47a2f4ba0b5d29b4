import CSQLite

extension Connection {
    /// Copies the whole database into another one, in steps, while others go on writing to it. All of the copy is of one
    /// moment: call it inside a read transaction, or every commit of others makes it begin anew
    /// (https://sqlite.org/c3ref/backup_finish.html).
    /// - Parameters:
    ///   - copy: an empty database.
    ///   - pagesAtOnce: pages of one step.
    ///   - progress: after each step, pages that are there and pages in all.
    package func copy(
        to copy: Connection, pagesAtOnce: Int32, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(copy.handle.pointer, "main", handle.pointer, "main") else {
            throw SQLiteError(sqlite3_errcode(copy.handle.pointer), on: copy.handle.pointer)
        }
        var result = SQLITE_OK
        while result == SQLITE_OK {
            result = sqlite3_backup_step(backup, pagesAtOnce)
            let total = Int(sqlite3_backup_pagecount(backup))
            progress(total - Int(sqlite3_backup_remaining(backup)), total)
        }
        let end = sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(result == SQLITE_DONE ? end : result, on: copy.handle.pointer)
        }
    }

    /// Makes the file whole by itself: without a log beside it.
    package func stopWriteAheadLog() throws(SQLiteError) {
        let statement = try prepare("PRAGMA journal_mode = DELETE")
        let mode = try statement.step() ? statement.text(0) : ""
        guard mode == "delete" else {
            throw SQLiteError(extendedCode: SQLITE_ERROR, message: "the journal mode stays \(mode)", sql: statement.sql)
        }
    }

    /// Checks that the file is sound and that every reference in it leads somewhere
    /// (https://sqlite.org/pragma.html#pragma_integrity_check). Reads all of it.
    /// - Returns: what is wrong, at most so many sentences.
    package func faults(limit: Int) throws(SQLiteError) -> [String] {
        var faults: [String] = []
        let check = try prepare("PRAGMA integrity_check(\(limit))")
        while try check.step() {
            let sentence = check.text(0)
            if sentence != "ok" { faults.append(sentence) }
        }
        let references = try prepare("PRAGMA foreign_key_check")
        while faults.count < limit, try references.step() {
            faults.append("A row of \(references.text(0)) refers to a missing one of \(references.text(2)).")
        }
        return faults
    }
}

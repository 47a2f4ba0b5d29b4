import Domain
import Glibc
import SQLite

/// Copies of the database for safe keeping. On the thread of the command that asks; the server may go on meanwhile.
package enum Backup {
    /// Pages of one step: 4 MiB.
    private static let pagesAtOnce: Int32 = 1024

    /// Copies the database as it is at one moment. The copy is one file, without a log beside it, for this user's eyes
    /// alone, and on the disk when this returns.
    /// - Parameters:
    ///   - path: of the database, which others may be writing to.
    ///   - copy: path of the file that is made; there must be none.
    ///   - progress: pages that are copied, and pages in all.
    /// - Throws: a sentence for the operator.
    package static func copy(
        _ path: String, to copy: String, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) {
        try makeFile(copy)
        do throws(SQLiteError) {
            let source = try Connection.reading(path)
            try source.execute("BEGIN DEFERRED")
            // The moment is that of the first read.
            _ = try source.dataVersion()
            try source.execute("SELECT COUNT(*) FROM schema_migration")
            let target = try Connection(path: copy, access: .readWrite)
            try target.setSynchronous(.full)
            try source.copy(to: target, pagesAtOnce: pagesAtOnce, progress: progress)
            try source.execute("ROLLBACK")
            try target.stopWriteAheadLog()
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// SQLite would let everybody read it; files that it makes beside this one get the same rights.
    private static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError("Cannot write \(path): \(reason). Check that this user may write to its folder.")
        }
        close(descriptor)
    }

    /// Checks that a copy is sound and fits this program, and reads it. Nothing else may use the file.
    /// - Parameter examine: reads whatever it wants to.
    /// - Throws: a sentence for the operator.
    package static func verify<R>(
        _ path: String, examine: (inout Session) throws(APIError) -> R
    ) throws(StoreError) -> R {
        let connection: Connection
        do throws(SQLiteError) {
            connection = try Connection(path: path, access: .readOnly)
            let faults = try connection.faults(limit: 10)
            guard faults.isEmpty else {
                throw SQLiteError(
                    extendedCode: SQLiteError.Code.corrupt.rawValue, message: faults.joined(separator: " "))
            }
        } catch {
            throw StoreError(error, at: path)
        }
        try Migrator().requireKnown(connection, path: path)
        var session = Session(reading: connection, now: Clock.wallMilliseconds, memory: LaneMemory())
        do {
            return try examine(&session)
        } catch {
            throw StoreError("Cannot read the database \(path): \(error.detail ?? error.reason)")
        }
    }

    /// Keeps servers out of a data folder, which is made when it is missing, while something puts files into it.
    /// - Throws: a sentence for the operator, also when a server runs there.
    package static func whileStopped(_ folder: String, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        try FolderLock.makeFolder(folder)
        guard let lock = try FolderLock.acquire(folder: folder) else {
            throw StoreError("A server uses the data folder \(folder). Stop it first.")
        }
        try withExtendedLifetime(lock) { () throws(StoreError) in try body() }
    }
}

import SQLite

extension Connection {
    /// The connection of the writer, or of a command beside the server. Every commit is on the disk when it returns.
    static func writing(_ path: String, lockMilliseconds: Int) throws(SQLiteError) -> Connection {
        let connection = try Connection(path: path, access: .readWrite)
        connection.setBusyTimeout(milliseconds: lockMilliseconds)
        try connection.useWriteAheadLog()
        try connection.setSynchronous(.full)
        try connection.enforceForeignKeys()
        try connection.overwriteDeletedContentCheaply()
        connection.setAutomaticCheckpoint(pages: 1000)
        try connection.tune()
        return connection
    }

    /// A connection that cannot change anything.
    static func reading(_ path: String) throws(SQLiteError) -> Connection {
        let connection = try Connection(path: path, access: .readOnly)
        // Readers wait for nobody, except while a log left behind by a crash is being recovered.
        connection.setBusyTimeout(milliseconds: 1000)
        try connection.tune()
        return connection
    }

    /// The file is not mapped: each commit would have all readers unmap it and map it again, which stops all threads.
    private func tune() throws(SQLiteError) {
        try setCache(kibibytes: 16_000)
        try keepTemporariesInMemory()
        try distrustSchema()
    }
}

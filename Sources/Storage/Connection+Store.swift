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
    /// - Parameter isMapped: reads the file in place. What was read of it counts as memory of this process, once for each
    ///   connection; what reads little does without.
    static func reading(_ path: String, isMapped: Bool = true) throws(SQLiteError) -> Connection {
        let connection = try Connection(path: path, access: .readOnly)
        // Readers wait for nobody, except while a log left behind by a crash is being recovered.
        connection.setBusyTimeout(milliseconds: 1000)
        try connection.tune(isMapped: isMapped)
        return connection
    }

    private func tune(isMapped: Bool = true) throws(SQLiteError) {
        try setMappedBytes(isMapped ? 256 << 20 : 0)
        try setCache(kibibytes: 16_000)
        try keepTemporariesInMemory()
        try distrustSchema()
    }
}

import CSQLite

/// A moment of a database in write-ahead mode: equal marks mean that nobody, no other program either, committed between.
package struct ChangeMark: Equatable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    fileprivate init(_ mark: parley_wal_mark) { words = mark.words }

    /// Whether nothing was committed between the two.
    package static func == (left: ChangeMark, right: ChangeMark) -> Bool {
        left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
            && left.words.3 == right.words.3 && left.words.4 == right.words.4 && left.words.5 == right.words.5
    }
}

extension Connection {
    /// The mark of this moment, without a lock and without a system call; nil before the first read of the connection,
    /// and at the very moment of a commit (https://sqlite.org/walformat.html, section 2.1). What a read sees that begins
    /// later is at least as new.
    package func changeMark() -> ChangeMark? {
        if changeIndex == nil { changeIndex = parley_wal_index(handle.pointer) }
        guard let changeIndex else { return nil }
        var mark = parley_wal_mark()
        return parley_read_wal_mark(changeIndex, &mark) == 1 ? ChangeMark(mark) : nil
    }
}

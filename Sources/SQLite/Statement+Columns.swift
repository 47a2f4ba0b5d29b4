import CSQLite

/// The current row. Valid after a ``step()`` that returned true and until the next step or reset.
///
/// Reads convert as SQLite does (https://sqlite.org/c3ref/column_blob.html): NULL reads as 0 and as "".
extension Statement {
    /// The number of columns of each row; 0 if there are no rows.
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Whether the column holds NULL.
    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// The column as an integer.
    package func int64(_ column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(column))
    }

    /// The column as a floating-point number.
    package func double(_ column: Int) -> Double {
        sqlite3_column_double(handle, Int32(column))
    }

    /// The column as text. Bytes that are not UTF-8 become U+FFFD.
    package func text(_ column: Int) -> String {
        withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The column as bytes; text gives its UTF-8, a number its digits.
    package func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    /// Lends the column's text as UTF-8 without copying it.
    package func withUTF8<Result, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = sqlite3_column_text(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        let buffer = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        return try body(buffer.span)
    }

    // The byte count must be asked for after the text: asking for text may convert the value.
    private func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let start = sqlite3_column_text(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

import SQLite

/// One row of an answer, lent to a closure. Columns are named by position, from 0, in the order of the SELECT.
///
/// Reads convert as the database does: NULL reads as 0 and as "". Where NULL means something, use the `OrNil` forms.
package struct Row: ~Copyable {
    private let statement: Statement

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Whether the column is NULL.
    package func isNull(_ column: Int) -> Bool { statement.isNull(column) }

    /// A whole number.
    package func int(_ column: Int) -> Int { Int(statement.int64(column)) }
    /// A whole number, or nil for NULL.
    package func intOrNil(_ column: Int) -> Int? { statement.isNull(column) ? nil : int(column) }

    /// A whole number, for instance milliseconds since 1970.
    package func int64(_ column: Int) -> Int64 { statement.int64(column) }
    /// A whole number, or nil for NULL.
    package func int64OrNil(_ column: Int) -> Int64? { statement.isNull(column) ? nil : statement.int64(column) }

    /// A boolean: true for any number but 0.
    package func bool(_ column: Int) -> Bool { statement.int64(column) != 0 }
    /// A boolean, or nil for NULL.
    package func boolOrNil(_ column: Int) -> Bool? { statement.isNull(column) ? nil : bool(column) }

    /// A floating-point number.
    package func double(_ column: Int) -> Double { statement.double(column) }
    /// A floating-point number, or nil for NULL.
    package func doubleOrNil(_ column: Int) -> Double? { statement.isNull(column) ? nil : statement.double(column) }

    /// Text.
    package func text(_ column: Int) -> String { statement.text(column) }
    /// Text, or nil for NULL.
    package func textOrNil(_ column: Int) -> String? { statement.isNull(column) ? nil : statement.text(column) }

    /// Bytes; for a text column its UTF-8.
    package func blob(_ column: Int) -> [UInt8] { statement.blob(column) }
    /// Bytes, or nil for NULL.
    package func blobOrNil(_ column: Int) -> [UInt8]? { statement.isNull(column) ? nil : statement.blob(column) }

    /// Lends the text of a column as UTF-8, so that a row can become JSON without a `String` between. NULL is empty.
    package func withUTF8<Result, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try statement.withUTF8(column, body)
    }
}

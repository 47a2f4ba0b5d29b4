import SQLite

/// Why a store cannot be opened, as a sentence for the person who starts the server.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what to do.
    package let description: String

    /// Wraps a sentence.
    package init(_ sentence: String) {
        description = sentence
    }

    /// A failure of the database at `path`.
    init(_ error: SQLiteError, at path: String) {
        let advice =
            switch error.code {
            case .cannotOpen: "Check that the folder exists and that this user may write to it."
            case .readOnly: "Give this user the right to write to the file and its folder."
            case .full: "Free some space on its disk."
            case .notADatabase: "The file is not a database. Move it away, or restore a backup."
            case .corrupt: "The file is damaged. Restore a backup."
            case .busy: "Another program holds it. End that program and try again."
            default: "See https://sqlite.org/rescode.html for the code."
            }
        description = "Cannot use the database \(path): \(error). \(advice)"
    }
}

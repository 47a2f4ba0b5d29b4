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
        let advice = Self.advice(for: error.code) ?? "See https://sqlite.org/rescode.html for the code."
        description = "Cannot use the database \(path): \(error). \(advice)"
    }

    /// What to do about a failure that comes from outside the program, a sentence or two; nil for the others.
    static func advice(for code: SQLiteError.Code) -> String? {
        switch code {
        case .cannotOpen: "Check that the folder exists and that this user may write to it."
        case .readOnly:
            "Give this user the right to write to the file and its folder; if the disk became read-only, repair it first."
        case .full: "Free some space on its disk, or raise the quota of this user."
        case .inputOutput:
            "The disk refuses to be read or written: look at its free space, its quota and what the system's log says of "
                + "it. Put the folder on a sound local disk, and start again."
        case .noMemory: "Give this program more memory."
        case .notADatabase: "The file is not a database. Move it away, or restore a backup."
        case .corrupt: "The file is damaged. Restore a backup."
        case .busy: "Another program holds it. End that program and try again."
        case .cannotLog:
            "The file system cannot keep a log beside the database, as network folders cannot. Put the folder on a local "
                + "disk that this user may write to."
        default: nil
        }
    }
}

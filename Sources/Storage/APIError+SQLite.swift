import Domain
import SQLite

extension APIError {
    /// What a client may hear of a failure in SQLite. The detail goes to the log.
    init(_ error: SQLiteError) {
        if error.isUniqueViolation {
            self.init(409, "conflict", "This already exists.", detail: error.description)
            return
        }
        switch error.code {
        case .interrupted: self = .needsOffload
        case .readOnly: self = .needsWrite
        case .busy, .full, .inputOutput, .cannotOpen, .noMemory: self = .unavailable(error.description)
        default: self = .internal(error.description)
        }
    }
}

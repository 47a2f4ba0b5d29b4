import JSON

/// The one error that leaves a handler: a code for machines, a sentence for people, a detail for the log only.
///
/// Its wire form is the closed error body of the public contract (section 2.1).
package struct APIError: Error, Sendable, Equatable {
    /// The HTTP status, 400 to 599.
    package var status: Int
    /// Kebab-case word that clients branch on.
    package var code: String
    /// English sentence that says what is wrong and, where it can, what to do.
    package var reason: String
    /// Which sentence of the reader's language to add as `translatedError`; nil adds none.
    package var phrase: Phrase?
    /// Fills the gap in the phrase, for instance a limit.
    package var phraseDetail = ""
    /// End of a ban, milliseconds since 1970; nil when there is none or it is permanent.
    package var bannedUntil: Int64?
    /// The limit that a text exceeded, in characters.
    package var maxCharacterLength: Int?
    /// Settings of the page, for a reader who asked for them; nil adds none.
    package var customConfig: JSONObject?
    /// Seconds after which to try again (header `Retry-After`).
    package var retryAfter: Int?
    /// For the log, never for the client.
    package var detail: String?
    /// Not a refusal: the same unit of work must run again on this lane. Nothing of it was kept.
    package var reroute: Reroute?

    /// Where a unit of work must run instead.
    package enum Reroute: Sendable, Equatable {
        /// The unit of work found that it must write.
        case write
        /// The unit of work outran the time of the event loop.
        case offload
    }

    /// `detail` is for the log only.
    package init(_ status: Int, _ code: String, _ reason: String, phrase: Phrase? = nil, detail: String? = nil) {
        self.status = status
        self.code = code
        self.reason = reason
        self.phrase = phrase
        self.detail = detail
    }
}

extension APIError {
    /// Something unforeseen. `detail` goes to the log.
    package static func `internal`(_ detail: String) -> APIError {
        APIError(500, "internal-error", "Something went wrong on the server. Please try again.", detail: detail)
    }

    /// The store cannot take writes now (disk full, failing disk, too many waiting).
    package static func unavailable(_ detail: String) -> APIError {
        var error = APIError(
            503, "unavailable", "The server cannot save anything right now. Please try again shortly.", detail: detail)
        error.retryAfter = 2
        return error
    }

    /// Runs the same unit of work again on the writer. Thrown by reads that find they must write.
    package static let needsWrite = rerouted(.write)

    /// Runs the same unit of work again off the event loop. Thrown by Storage when a read outruns its budget.
    package static let needsOffload = rerouted(.offload)

    private static func rerouted(_ reroute: Reroute) -> APIError {
        var error = APIError(500, "internal-error", "The unit of work was not run again.")
        error.reroute = reroute
        return error
    }
}

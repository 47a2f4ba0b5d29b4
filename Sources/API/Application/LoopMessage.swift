import Domain
import Live
import Server

/// What other threads tell a loop.
package enum LoopMessage: Sendable {
    /// A unit of work is done and, where it wrote, committed.
    case completed(ExchangeID, Result<Reply, APIError>, AnswerContext)
    /// An answer that was made off the loop.
    case answered(ExchangeID, Response)
    /// The visitor of a read is known now; the read can run again.
    case known(ExchangeID, Call, ReadWork, AnswerContext)
    /// These tenants have other settings now.
    case settingsChanged(Set<String>)
    /// Events for sockets of this loop.
    case deliver(LiveDelivery)
}

/// What an answer needs to know of its request once the work is done.
package struct AnswerContext: Sendable {
    let operation: String
    /// Asked for the language of a refusal; nil when it could not be decoded.
    let call: Call?
    let cors: CrossOrigin
}

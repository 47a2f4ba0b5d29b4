import Domain
import HTTP1
import Images
import Outbound
import Server
import Storage

/// What a route does, and on which thread.
package struct Endpoint: Sendable {
    /// Name of the operation in the contract, or our own for routes outside it.
    package let operation: String
    /// Bytes of body at most.
    package let bodyLimit: Int
    /// Whether browsers of any site may call it.
    package let allowsCrossOrigin: Bool
    let work: Work

    enum Work: Sendable {
        /// On the loop, without the database.
        case instant(@Sendable (Call) throws(APIError) -> Reply)
        /// On the loop with its reader; run again when its visitor must be made known first, or off the loop when it
        /// takes long.
        case read(ReadWork)
        /// As ``read``; its answer is given again while nothing changes, if it is ``Repeatable``. It must depend on nothing
        /// but the request, the database and what the answer asks for anew.
        case repeated(ReadWork)
        /// First on the loop with its reader (who asks, what is it made of), then the returned unit on the writer.
        case write(@Sendable (Call, inout Session) throws(APIError) -> WriteUnit)
        /// As ``write``, in several units of the writer.
        case parts(@Sendable (Call, inout Session) throws(APIError) -> PartUnit)
        /// First on the loop with its reader (who asks, may they), then on the decoder's thread, then on the writer.
        case upload(@Sendable (Call, inout Session) throws(APIError) -> UploadUnit)
        /// First on the loop with its reader, then, where others must be asked, on a lane whose threads may wait for them.
        case remote(@Sendable (Call, inout Session) throws(APIError) -> RemoteStep)
        /// A WebSocket.
        case socket
    }
}

/// What a request that may have to ask another server does next.
package enum RemoteStep: Sendable {
    /// Nothing: the answer is here.
    case answer(Reply)
    /// Asks, on a thread of the lane.
    case call(OutboundLane, @Sendable (OutboundClient) throws(APIError) -> Reply)
}

/// What a read does. Never runs on the writer.
package typealias ReadWork = @Sendable (Call, inout Session) throws(APIError) -> Reply

/// The part of a request that changes the store. Runs on the writer, so nothing it checks can be overtaken.
package typealias WriteUnit = @Sendable (inout Session) throws(APIError) -> Reply

/// A part of a request that changes much. Each is a unit of its own, so that others get their turns in between; what
/// earlier ones wrote stays when a later one fails.
package typealias PartUnit = @Sendable (inout Session) throws(APIError) -> PartOutcome

/// What comes after a part.
package enum PartOutcome: Sendable {
    case done(Reply)
    case more(PartUnit)
}

/// The part of an upload that makes files. Runs on the decoder's thread.
package typealias UploadUnit = @Sendable (ImageLibrary, ImagePatience) throws(APIError) -> StagedUpload

/// Files that are in place and wait for their rows.
package struct StagedUpload: Sendable {
    /// Adds the rows.
    let commit: WriteUnit
    /// Removes the files, when the rows do not come.
    let undo: @Sendable () -> Void
}

/// Collects routes. Each resource has a folder that registers its own.
package struct Routes {
    /// Largest body of an ordinary call: the 64 KiB of a comment's text, escaped, and its companions.
    static let ordinaryBody = 1 << 20

    private(set) var router = Router<Endpoint>()

    /// No routes.
    package init() {}

    /// A public read (contract: public.md): its visitor is known before the handler runs.
    mutating func read(
        _ method: Method = .get, _ pattern: String, _ operation: String,
        _ handler: @escaping @Sendable (Visit, inout Session) throws(APIError) -> Reply
    ) {
        add(method, pattern, operation) { (call, session) throws(APIError) -> Reply in
            try handler(try Visit(call, in: &session), &session)
        }
    }

    /// A public read whose answers are asked for again and again.
    mutating func repeated(
        _ pattern: String, _ operation: String,
        _ handler: @escaping @Sendable (Visit, inout Session) throws(APIError) -> Reply
    ) {
        let work = Endpoint.Work.repeated { (call, session) throws(APIError) -> Reply in
            try handler(try Visit(call, in: &session), &session)
        }
        add(.get, pattern, operation, work: work)
    }

    /// A public write: its visitor is verified on the loop, the handler runs on the writer.
    mutating func write(
        _ method: Method, _ pattern: String, _ operation: String,
        _ handler: @escaping @Sendable (Visit, inout Session) throws(APIError) -> Reply
    ) {
        prepared(method, pattern, operation) { (visit, _) throws(APIError) -> WriteUnit in
            { (session) throws(APIError) -> Reply in try handler(visit, &session) }
        }
    }

    /// A public write with work to do before the writer's turn, such as rendering.
    mutating func prepared(
        _ method: Method, _ pattern: String, _ operation: String,
        _ prepare: @escaping @Sendable (Visit, inout Session) throws(APIError) -> WriteUnit
    ) {
        let work = Endpoint.Work.write { (call, session) throws(APIError) -> WriteUnit in
            try prepare(try Visit(call, in: &session), &session)
        }
        add(method, pattern, operation, work: work)
    }

    /// A public read that may have to ask another server.
    mutating func remote(
        _ method: Method, _ pattern: String, _ operation: String,
        _ prepare: @escaping @Sendable (Visit, inout Session) throws(APIError) -> RemoteStep
    ) {
        let work = Endpoint.Work.remote { (call, session) throws(APIError) -> RemoteStep in
            try prepare(try Visit(call, in: &session), &session)
        }
        add(method, pattern, operation, work: work)
    }

    /// A read outside the public contract's rules about visitors.
    mutating func add(
        _ method: Method, _ pattern: String, _ operation: String, allowsCrossOrigin: Bool = true,
        read handler: @escaping @Sendable (Call, inout Session) throws(APIError) -> Reply
    ) {
        add(method, pattern, operation, allowsCrossOrigin: allowsCrossOrigin, work: .read(handler))
    }

    /// A route of any kind.
    mutating func add(
        _ method: Method, _ pattern: String, _ operation: String, bodyLimit: Int = ordinaryBody,
        allowsCrossOrigin: Bool = true, work: Endpoint.Work
    ) {
        let endpoint = Endpoint(
            operation: operation, bodyLimit: bodyLimit, allowsCrossOrigin: allowsCrossOrigin, work: work)
        router.add(method, pattern, endpoint)
    }
}

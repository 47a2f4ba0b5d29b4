import HTTP1
import Reactor
import Synchronization
import WebSocket

@testable import Server

/// What the application under test saw.
enum Seen: Sendable, Equatable {
    case waiting(path: String)
    case opened(ConnectionID)
    case closed(ConnectionID)
    case text(String)
    case binary([UInt8])
    case finished(path: String, status: Int, bytes: Int)
    case drained
    case pulled(Int)
    case lease(Int)
    case clientLeft
}

/// A tiny application: answers, echoes, and does what messages tell it.
final class EchoApplication: LoopApplication {
    enum Message: Sendable {
        /// Answer the request for this path that waits.
        case complete(path: String, Response)
        case upgrade(path: String)
        case send(FrameBatch)
        case close(code: UInt16)
    }

    private let context: LoopContext<Message>
    private let seen: WorkQueue<Seen>
    private var waiting: [String: ExchangeID] = [:]
    private var sockets: [ConnectionID] = []

    init(_ context: LoopContext<Message>, _ seen: WorkQueue<Seen>) {
        self.context = context
        self.seen = seen
    }

    func admit(_ head: RequestHead, from address: String) -> Admission {
        switch head.rawPath {
        case "/refused": .refuse(Response(status: 403, body: .bytes([1])))
        case "/leased": .accept(bodyLimit: 1000, lease: Lease(seen))
        default: .accept(bodyLimit: 1000)
        }
    }

    func respond(to request: Request, exchange: ExchangeID) -> Outcome {
        let path = request.head.rawPath
        switch path {
        case "/hello": return .now(text("hello"))
        case "/echo": return .now(Response(status: 200, body: .bytes(request.body)))
        case "/peer": return .now(text("\(request.peerAddress) \(request.isSecure)"))
        case "/nothing": return .now(Response(status: 204))
        case "/closing": return .now(Response(status: 200, closesConnection: true))
        case "/ws": return .upgrade(["sec-websocket-protocol": "test"])
        case "/big": return .now(Response(status: 200, body: .bytes([UInt8](repeating: 0x61, count: 1_000_000))))
        case "/told":
            _ = seen.push(.waiting(path: path))
            return .now(Response(status: 200, body: .bytes([UInt8](repeating: 0x62, count: 1_000_000))))
        case "/stream": return .now(Response(status: 200, body: .stream(next: pieces(["one", "", "two", "three"]))))
        case "/file":
            return .now(Response(status: 200, body: .file(length: 11, next: pieces(["one", "two", "three"]))))
        case "/short": return .now(Response(status: 200, body: .file(length: 12, next: pieces(["one", "two"]))))
        case "/leased": return .now(text("\(request.body.count)"))
        case "/endless": return .now(Response(status: 200, body: .stream(next: endless())))
        default:
            waiting[path] = exchange
            _ = seen.push(.waiting(path: path))
            return .later
        }
    }

    func failure(_ failure: ProtocolFailure) -> Response {
        text(failure.reason, status: failure.status)
    }

    func socketOpened(_ id: ConnectionID, request: Request) {
        sockets.append(id)
        _ = seen.push(.opened(id))
    }

    func socketReceived(_ id: ConnectionID, text: [UInt8]) {
        _ = seen.push(.text(String(decoding: text, as: UTF8.self)))
        context.send(FrameBatch([SharedFrame(FrameEncoder.text(text))]), to: id)
    }

    func socketReceived(_ id: ConnectionID, binary: [UInt8]) {
        _ = seen.push(.binary(binary))
        context.send(FrameBatch([SharedFrame(FrameEncoder.binary(binary))]), to: id)
    }

    func socketClosed(_ id: ConnectionID) {
        sockets.removeAll { $0 == id }
        _ = seen.push(.closed(id))
    }

    func exchangeFinished(_ record: ExchangeRecord) {
        _ = seen.push(.finished(path: record.path, status: record.status, bytes: record.bytes))
    }

    func receive(_ messages: [Message]) {
        for message in messages {
            switch message {
            case .complete(let path, let response):
                if let exchange = waiting.removeValue(forKey: path) { context.complete(exchange, response) }
            case .upgrade(let path):
                if let exchange = waiting.removeValue(forKey: path) { context.upgrade(exchange, headers: [:]) }
            case .send(let batch):
                for socket in sockets { context.send(batch, to: socket) }
            case .close(let code):
                for socket in sockets { context.close(socket, code: code, reason: "told to") }
            }
        }
    }

    func drain() {
        _ = seen.push(.drained)
    }

    private func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, headers: ["content-type": "text/plain"], body: .bytes([UInt8](text.utf8)))
    }

    private func pieces(_ pieces: [String]) -> @Sendable () -> [UInt8]? {
        let queue = WorkQueue<[UInt8]>(capacity: pieces.count)
        for piece in pieces { _ = queue.push([UInt8](piece.utf8)) }
        queue.close()
        return { queue.pop() }
    }

    /// Tells of every piece that is asked for.
    private func endless() -> @Sendable () -> [UInt8]? {
        let seen = seen
        return {
            _ = seen.push(.pulled(10_000))
            return [UInt8](repeating: 0x62, count: 10_000)
        }
    }
}

/// Gives 500 bytes and tells what it gave when nobody holds it any more.
private final class Lease: BodyLease {
    private let seen: WorkQueue<Seen>
    private let taken = Mutex(0)

    init(_ seen: WorkQueue<Seen>) { self.seen = seen }

    deinit { _ = seen.push(.lease(taken.withLock { $0 })) }

    func take(_ bytes: Int) -> Bool {
        taken.withLock { taken in
            guard taken + bytes <= 500 else { return false }
            taken += bytes
            return true
        }
    }

    func received() {}

    func clientLeft() { _ = seen.push(.clientLeft) }
}

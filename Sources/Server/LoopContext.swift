import HTTP1
import Reactor
import WebSocket

/// Reaches one event loop from any thread.
package struct LoopHandle<Message: Sendable>: Sendable {
    let mailbox: Mailbox<Message>

    /// Hands a message to the loop's application. Messages of one thread arrive in order. Before the server starts they
    /// wait; after it has stopped they are dropped. Never blocks.
    package func post(_ message: Message) {
        mailbox.post(message)
    }
}

/// What an application can do on its loop. Not Sendable: it stays on the loop's thread.
package final class LoopContext<Message: Sendable> {
    /// Which loop this is, from 0; `ConnectionID.loop` of its connections.
    package let index: UInt16
    /// For completions that come from other threads.
    package let handle: LoopHandle<Message>
    private let events: EventLoop
    /// Set right after the application was made, which the loop needs to exist.
    weak var loop: ServerLoop?

    init(_ events: EventLoop, index: UInt16, _ handle: LoopHandle<Message>) {
        self.events = events
        self.index = index
        self.handle = handle
    }

    /// Monotonic milliseconds, read once per turn of the loop.
    package var now: Int64 { events.now }

    /// Answers a request for which `respond` said `.later`. Dropped when the client is gone, or was answered.
    package func complete(_ exchange: ExchangeID, _ response: Response) {
        loop?.connection(exchange.connection)?.complete(exchange.sequence, response)
    }

    /// Makes a connection a WebSocket for which `respond` said `.later`, with these headers besides those of the
    /// handshake. Dropped when the client is gone, or was answered.
    package func upgrade(_ exchange: ExchangeID, headers: HeaderFields) {
        guard let connection = loop?.connection(exchange.connection), case .http(let http) = connection.traffic,
            let upgrade = http.upgrade, upgrade.sequence == exchange.sequence
        else { return }
        connection.upgrade(exchange.sequence, headers, upgrade.request)
    }

    /// Queues frames for a WebSocket; they leave at the end of the turn. Nothing happens when it is closing or gone. One
    /// that reads too slowly is closed with 1013.
    package func send(_ frames: FrameBatch, to id: ConnectionID) {
        loop?.connection(id)?.send(frames)
    }

    /// Runs `body` once on this loop, at the end of the turn, after everything that was queued was offered to the kernel.
    package func afterWriting(_ body: @escaping () -> Void) {
        loop?.afterWriting(body)
    }

    /// Begins the closing handshake of a WebSocket. `socketClosed` follows at the end of the turn. Nothing happens when
    /// it is closing or gone.
    package func close(_ id: ConnectionID, code: UInt16, reason: String) {
        loop?.connection(id)?.closeSocket(CloseCode(rawValue: code), reason: reason)
    }

    /// Runs `body` once on this loop, after `milliseconds` or a few more. Not after the loop has ended.
    @discardableResult
    package func after(milliseconds: Int, _ body: @escaping () -> Void) -> TimerID {
        events.after(milliseconds: milliseconds, body)
    }

    /// Forgets a timer of `after`.
    package func cancel(_ timer: TimerID) {
        events.cancel(timer)
    }
}

import Crypto
import HTTP1
import Reactor

/// The connections of one event loop and what they share. On the loop's thread only.
final class ServerLoop {
    let events: EventLoop
    let index: UInt16
    let configuration: ServerConfiguration
    /// Room for one read at a time, so that idle connections need none.
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
    let scratch = WriteScratch()
    private(set) var isDraining = false

    private let counter: ConnectionCounter
    let handler: any ConnectionHandler
    private var connections = SlotTable<Connection>()
    private var listeners: [Listener] = []
    private var dirty: [Connection] = []
    private var closedSockets: [ConnectionID] = []
    private var afterWritingBodies: [() -> Void] = []
    private var cachedDate = (second: Int64.min, text: "")

    init(
        _ events: EventLoop, index: UInt16, _ configuration: ServerConfiguration, _ counter: ConnectionCounter,
        _ handler: any ConnectionHandler
    ) {
        self.events = events
        self.index = index
        self.configuration = configuration
        self.counter = counter
        self.handler = handler
        events.addBeforeSleep { [unowned self] in finishTurn() }
    }

    deinit {
        input.deallocate()
    }

    /// The date for the answers of this second, IMF-fixdate.
    var date: String {
        let second = Syscall.unixSeconds()
        if second != cachedDate.second { cachedDate = (second, HTTPDate.format(second)) }
        return cachedDate.text
    }

    func connection(_ id: ConnectionID) -> Connection? {
        id.loop == index ? connections[id.key] : nil
    }

    // MARK: Coming and going

    /// Takes connections from these listeners until the server drains.
    func listen(_ listeners: [Listener]) throws(SystemCallError) {
        self.listeners = listeners
        for listener in listeners { try listener.start(on: self) }
    }

    /// New sessions use this certificate.
    func useTLS(_ context: TLSContext) {
        for listener in listeners where listener.tls != nil { listener.tls = context }
    }

    /// Owns the descriptor from here on. When there are too many connections, the client is told and sent away.
    func accept(_ descriptor: Int32, from address: SocketAddress, _ tls: TLSContext?) {
        let total = counter.add()
        let isRefused = total > configuration.maximumConnections
        guard let transport = transport(descriptor, tls),
            // The refused may linger to read their answer, but not without bound. A TLS handshake is too dear for it.
            !isRefused || (!transport.isSecure && total <= configuration.maximumConnections + 64)
        else {
            Syscall.close(descriptor)
            counter.remove()
            return
        }
        let connection = Connection(self, transport, peerAddress: address.host)
        let key = connections.insert(connection)
        guard connection.start(as: ConnectionID(loop: index, key: key)) else { return connection.terminate() }
        guard isRefused else { return }
        connection.fail(ProtocolFailure(status: 503, reason: "The server has too many connections."))
        connection.update()
    }

    private func transport(_ descriptor: Int32, _ tls: TLSContext?) -> Transport? {
        guard let tls else { return .plain(descriptor) }
        guard let session = try? TLSSession(tls, fileDescriptor: descriptor) else { return nil }
        return .tls(descriptor, session, TLSStage())
    }

    /// The connection has ended.
    func remove(_ connection: Connection) {
        guard connections.remove(connection.id.key) != nil else { return }
        counter.remove()
        if isDraining, connections.count == 0 { events.stop() }
    }

    // MARK: The end of a turn

    /// The connection has something to do before the loop sleeps.
    func markDirty(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    /// The application is to be told at the end of the turn.
    func socketClosed(_ id: ConnectionID) {
        closedSockets.append(id)
    }

    /// Something is to be done when all that the turn has queued was written, or had its try.
    func afterWriting(_ body: @escaping () -> Void) {
        afterWritingBodies.append(body)
    }

    /// Writes what the turn has queued, one call per connection, and tells the application of closed sockets. Either may
    /// lead to more of both.
    private func finishTurn() {
        repeat {
            writeOut()
            let bodies = afterWritingBodies
            afterWritingBodies = []
            for body in bodies { body() }
        } while !dirty.isEmpty || !closedSockets.isEmpty || !afterWritingBodies.isEmpty
    }

    private func writeOut() {
        while !dirty.isEmpty || !closedSockets.isEmpty {
            let closed = closedSockets
            closedSockets = []
            for id in closed { handler.socketClosed(id) }
            let connections = dirty
            dirty = []
            for connection in connections {
                connection.isDirty = false
                connection.update()
            }
        }
    }

    // MARK: Stopping

    /// Takes no more connections, lets what is in flight finish, and ends the loop when all is done or the time is over.
    func drain(graceMilliseconds: Int) {
        guard !isDraining else { return }
        for listener in listeners {
            listener.acceptWaiting()
            listener.stop()
        }
        isDraining = true
        listeners = []
        for connection in connections.elements { connection.drain() }
        guard connections.count > 0 else { return events.stop() }
        events.after(milliseconds: graceMilliseconds) { [unowned self] in events.stop() }
    }

    /// Ends what is left. After the event loop.
    func end() {
        for listener in listeners { listener.stop() }
        listeners = []
        for connection in connections.elements { connection.terminate() }
        finishTurn()
    }
}

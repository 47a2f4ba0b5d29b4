import Crypto
import Glibc
import Reactor
import Synchronization

/// An HTTP/1.1 and WebSocket server: event loops on threads of their own, each with its own application.
///
/// Sockets are bound by `init` and served from `start` to `stop`.
package final class HTTPServer<Application: LoopApplication>: Sendable {
    private enum Phase {
        case bound([Blueprint])
        case running([Thread])
        case stopped
    }

    /// What a loop's thread starts with.
    private struct Blueprint: Sendable {
        let index: UInt16
        let sockets: [Int32]
        let secureSockets: [Int32]
        let messages: Mailbox<Application.Message>
        let control: Mailbox<LoopControl>
    }

    /// The port of plain HTTP.
    package let port: UInt16
    /// The port of HTTPS; nil without a certificate.
    package let tlsPort: UInt16?
    /// One for each loop; there before `start`.
    package let loops: [LoopHandle<Application.Message>]
    private let configuration: ServerConfiguration
    private let makeApplication: @Sendable (LoopContext<Application.Message>) -> Application
    private let controls: [Mailbox<LoopControl>]
    private let counter = ConnectionCounter()
    private let phase: Mutex<Phase>

    /// Binds the ports. `makeApplication` runs later, once on the thread of each loop.
    ///
    /// Throws one sentence that names address and port when one cannot be had.
    package init(
        _ configuration: ServerConfiguration,
        makeApplication: @escaping @Sendable (LoopContext<Application.Message>) -> Application
    ) throws(ServerError) {
        self.configuration = configuration
        self.makeApplication = makeApplication
        let plain = try Self.listen(configuration, port: configuration.port)
        var secure: (sockets: [Int32], port: UInt16)?
        var blueprints: [Blueprint] = []
        do throws(ServerError) {
            if configuration.tls != nil { secure = try Self.listen(configuration, port: configuration.tlsPort) }
            for index in 0..<configuration.loopCount {
                blueprints.append(try Self.blueprint(index, plain.sockets, secure?.sockets ?? []))
            }
        } catch {
            for socket in plain.sockets + (secure?.sockets ?? []) { Syscall.close(socket) }
            throw error
        }
        port = plain.port
        tlsPort = secure?.port
        loops = blueprints.map { LoopHandle(mailbox: $0.messages) }
        controls = blueprints.map(\.control)
        phase = Mutex(.bound(blueprints))
    }

    deinit {
        phase.withLock { phase in
            if case .bound(let blueprints) = phase { Self.close(blueprints) }
        }
    }

    /// Connections that are open at this moment, of all loops. Any thread.
    package var connectionCount: Int { counter.count }

    /// Starts the loops; once. Ignores `SIGPIPE` in the process from then on, because TLS writes cannot. Throws when the system has no room for their threads, and then has started none.
    package func start() throws(ServerError) {
        signal(SIGPIPE, SIG_IGN)
        let failure = phase.withLock { phase -> SystemCallError? in
            guard case .bound(let blueprints) = phase else { preconditionFailure("a server starts once") }
            var threads: [Thread] = []
            do throws(SystemCallError) {
                for blueprint in blueprints { threads.append(try thread(blueprint)) }
            } catch {
                for control in controls { control.post(.drain(graceMilliseconds: 0)) }
                for thread in threads { thread.join() }
                Self.close(Array(blueprints.dropFirst(threads.count)))
                phase = .stopped
                return error
            }
            phase = .running(threads)
            return nil
        }
        if let failure { throw ServerError("The server cannot start: \(failure).") }
    }

    /// Ends in good order: takes no more connections and requests, finishes the answers in flight, closes WebSockets with
    /// 1012, and returns when all is done, at the latest after the grace. Any thread but a loop's; may be called again.
    package func stop(graceMilliseconds: Int) {
        let threads = phase.withLock { phase -> [Thread] in
            switch phase {
            case .bound(let blueprints):
                Self.close(blueprints)
                phase = .stopped
                return []
            case .running(let threads):
                return threads
            case .stopped:
                return []
            }
        }
        for control in controls { control.post(.drain(graceMilliseconds: graceMilliseconds)) }
        for thread in threads { thread.join() }
    }

    /// New TLS sessions use this certificate; those that exist keep theirs. Any thread.
    package func useTLS(_ context: TLSContext) {
        for control in controls { control.post(.useTLS(context)) }
    }

    private func thread(_ blueprint: Blueprint) throws(SystemCallError) -> Thread {
        let (configuration, counter, makeApplication) = (configuration, counter, makeApplication)
        return try Thread(name: "loop \(blueprint.index)") {
            do throws(SystemCallError) {
                try Self.run(blueprint, configuration, counter, makeApplication)
            } catch {
                // A server with a dead loop would leave a part of its clients waiting.
                fatalError("An event loop cannot start: \(error)")
            }
        }
    }

    private static func run(
        _ blueprint: Blueprint, _ configuration: ServerConfiguration, _ counter: ConnectionCounter,
        _ makeApplication: (LoopContext<Application.Message>) -> Application
    ) throws(SystemCallError) {
        let events = try EventLoop()
        let context = LoopContext(events, index: blueprint.index, LoopHandle(mailbox: blueprint.messages))
        let application = makeApplication(context)
        let loop = ServerLoop(events, index: blueprint.index, configuration, counter, application)
        context.loop = loop
        try events.attach(blueprint.messages) { application.receive($0) }
        try events.attach(blueprint.control) { orders in
            for order in orders { obey(order, loop, application) }
        }
        try loop.listen(
            blueprint.sockets.map { Listener($0, tls: nil) }
                + blueprint.secureSockets.map { Listener($0, tls: configuration.tls) })
        events.run()
        loop.end()
    }

    private static func obey(_ order: LoopControl, _ loop: ServerLoop, _ application: Application) {
        switch order {
        case .useTLS(let context):
            loop.useTLS(context)
        case .drain(let graceMilliseconds):
            guard !loop.isDraining else { return }
            application.drain()
            loop.drain(graceMilliseconds: graceMilliseconds)
        }
    }

    private static func listen(
        _ configuration: ServerConfiguration, port: UInt16
    ) throws(ServerError) -> (sockets: [Int32], port: UInt16) {
        try ListeningSocket.open(
            host: configuration.host, port: port, count: configuration.loopCount,
            sendBufferBytes: configuration.sendBufferBytes)
    }

    private static func blueprint(
        _ index: Int, _ sockets: [Int32], _ secureSockets: [Int32]
    ) throws(ServerError) -> Blueprint {
        do throws(SystemCallError) {
            return Blueprint(
                index: UInt16(index), sockets: [sockets[index]],
                secureSockets: secureSockets.isEmpty ? [] : [secureSockets[index]], messages: try Mailbox(),
                control: try Mailbox())
        } catch {
            throw ServerError("The server cannot start: \(error).")
        }
    }

    private static func close(_ blueprints: [Blueprint]) {
        for blueprint in blueprints {
            for socket in blueprint.sockets + blueprint.secureSockets { Syscall.close(socket) }
        }
    }
}

/// What a server tells its loops.
enum LoopControl: Sendable {
    case drain(graceMilliseconds: Int)
    case useTLS(TLSContext)
}

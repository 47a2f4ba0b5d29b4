import Reactor
import WebSocket

/// What a connection needs while it speaks WebSocket.
final class SocketTraffic {
    /// A message that has come in part. Its own object, because most sockets are silent most of the time.
    final class Reading {
        var assembler: MessageAssembler

        init(_ configuration: ServerConfiguration, takesPacked: Bool) {
            let limit = configuration.socketMessageBytes
            assembler = MessageAssembler(
                role: .server, limits: MessageAssembler.Limits(frameBytes: limit, messageBytes: limit),
                takesPacked: takesPacked)
        }
    }

    var reading: Reading?
    var machine: WebSocketStateMachine
    /// Whether the application was told, or will be, that the socket is no more.
    var isReported = false
    private let agreement: DeflateAgreement?
    /// Plain bytes of the longest message that the other end takes compressed; 0 when that was not agreed on.
    var longestPacked: Int { agreement?.longestPacked ?? 0 }

    init(_ configuration: ServerConfiguration, _ agreement: DeflateAgreement?, now: Int64) {
        self.agreement = agreement
        machine = WebSocketStateMachine(configuration.timeouts, now: now)
    }
}

extension Connection {
    /// Queues frames for an open socket; they leave at the end of the turn. A reader too slow for them is cut off.
    func send(_ batch: FrameBatch) {
        guard case .open = life, case .webSocket(let socket) = traffic, socket.machine.isOpen else { return }
        output.append(batch, packs: socket.longestPacked)
        loop.markDirty(self)
        guard isOverfull else { return }
        // The turn may have brought more than the limit to a reader that keeps up.
        flush()
        guard isOverfull, case .open = life else { return }
        output.discardFrames()
        // What was too slow for the frames may still be in time for the reason.
        if stalledSince != nil { stalledSince = loop.events.now }
        closeSocket(.tryAgainLater, reason: "Too slow; fetch what you missed.")
    }

    /// Begins the closing handshake, unless it has begun.
    func closeSocket(_ code: CloseCode, reason: String) {
        guard case .open = life, case .webSocket(let socket) = traffic else { return }
        guard socket.machine.close() else { return }
        queueClose(code, reason: reason, on: socket)
    }

    /// The time for the other end's Close runs from when ours, the last of what is sent, has reached the kernel.
    func noteSentClose() {
        guard case .webSocket(let socket) = traffic, isOutputEmpty else { return }
        socket.machine.closeSent(now: loop.events.now)
    }

    /// Tells the application, once and not from within one of its calls, that the socket is no more.
    func reportClosed(_ socket: SocketTraffic) {
        guard !socket.isReported else { return }
        socket.isReported = true
        loop.socketClosed(id)
    }

    /// Reads messages out of the input until it is used up.
    func assemble(_ socket: SocketTraffic, _ input: Span<UInt8>, _ position: inout Int) {
        socket.machine.heard()
        let reading =
            socket.reading
            ?? SocketTraffic.Reading(
                loop.configuration, takesPacked: socket.longestPacked > 0)
        defer { socket.reading = reading.assembler.isBetweenMessages ? nil : reading }
        // Of several Pings only the last must be answered (RFC 6455, section 5.5.3).
        var ping: [UInt8]?
        loop: while case .open = life, socket.machine.isOpen || socket.machine.awaitsClose {
            switch reading.assembler.next(input, &position) {
            case .needMore: break loop
            case .text(let text):
                if socket.machine.isOpen { handler.socketReceived(id, text: text) }
            case .binary(let bytes):
                if socket.machine.isOpen { handler.socketReceived(id, binary: bytes) }
            case .ping(let payload): ping = payload
            case .pong: continue
            case .close(let code, _): act(on: socket.machine.closeReceived(code), socket)
            case .failure(let code): act(on: socket.machine.failed(code), socket)
            }
        }
        if let ping { send(FrameBatch(FrameEncoder.pong(ping))) }
    }

    /// The time of the socket's deadline has come.
    func timePassed(on socket: SocketTraffic) {
        switch socket.machine.timeReached(now: loop.events.now) {
        case .nothing: break
        // What is still queued was not read in all that time.
        case .hangUp: if !isOutputEmpty { terminate() }
        case .ping: send(FrameBatch(FrameEncoder.ping()))
        case .closeSilent: queueClose(.goingAway, reason: "No sign of life.", on: socket)
        }
    }

    private var isOverfull: Bool {
        output.byteCount > loop.configuration.socketBytesQueued
            || output.entryCount > loop.configuration.socketEntriesQueued
    }

    private func act(on action: WebSocketStateMachine.CloseAction, _ socket: SocketTraffic) {
        switch action {
        case .nothing, .hangUp: break
        case .send(let code): queueClose(code, reason: "", on: socket)
        }
    }

    private func queueClose(_ code: CloseCode?, reason: String, on socket: SocketTraffic) {
        output.append(FrameBatch(FrameEncoder.close(code, reason: reason)))
        reportClosed(socket)
        loop.markDirty(self)
    }
}

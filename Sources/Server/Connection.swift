import Crypto
import HTTP1
import Reactor
import WebSocket

/// One connection: moves bytes between its socket and the protocol it speaks, HTTP/1 or WebSocket.
///
/// Owned by its loop and only touched on the loop's thread. Whatever happens ends in `update`, which is the only place
/// that answers, writes, and decides what to wait for.
final class Connection: ReadinessHandler {
    enum Life {
        case handshaking(until: Int64)
        case open
        /// Our direction has ended; theirs is read and thrown away, so that they can read our last words.
        case lingering(until: Int64)
        case closed
    }

    enum Traffic {
        case http(HTTPTraffic)
        case webSocket(SocketTraffic)
    }

    let loop: ServerLoop
    let transport: Transport
    let peerAddress: String
    private(set) var id = ConnectionID(loop: 0, slot: 0, generation: 0)
    private var registration: SlotKey?

    var life: Life
    var traffic: Traffic
    var output = OutputQueue()
    /// Input that was read and must wait for its turn: mostly empty.
    var held: [UInt8] = []
    var heldPosition = 0
    /// Whether the other end sends nothing more.
    var peerEnded = false
    /// Whether the kernel takes nothing until it says so.
    var isWriteBlocked = false
    /// Since when the kernel has taken nothing of what waits.
    var stalledSince: Int64?
    /// TLS may have to write before it can read, and the other way round.
    var readWantsWrite = false
    var writeWantsRead = false
    /// Whether the loop will call `update` before it sleeps.
    var isDirty = false
    private var timer: (id: TimerID, deadline: Int64)?

    var handler: any ConnectionHandler { loop.handler }

    init(_ loop: ServerLoop, _ transport: Transport, peerAddress: String) {
        self.loop = loop
        self.transport = transport
        self.peerAddress = peerAddress
        let now = loop.events.now
        life =
            transport.isSecure ? .handshaking(until: now + Int64(loop.configuration.timeouts.head)) : .open
        traffic = .http(HTTPTraffic(loop.configuration, now: now))
    }

    /// Begins to watch the socket. False when the kernel has no room; then the connection is to be dropped.
    func start(as id: ConnectionID) -> Bool {
        self.id = id
        registration = try? loop.events.register(transport.descriptor, .read, self)
        guard registration != nil else { return false }
        updateTimer()
        return true
    }

    // MARK: Events

    func ready(_ readiness: Readiness) {
        guard !readiness.contains(.hangUp) else { return terminate() }
        switch life {
        case .handshaking:
            continueHandshake()
        case .open:
            if readiness.contains(.write) || writeWantsRead {
                isWriteBlocked = false
                writeWantsRead = false
            }
            if readiness.contains(.read) || readWantsWrite {
                readWantsWrite = false
                readInput()
            }
        case .lingering:
            discardInput()
        case .closed:
            return
        }
        update()
    }

    /// Answers, writes and reads on as far as possible, then waits for what is missing.
    func update() {
        if case .open = life {
            repeat {
                queueReplies()
                flush()
            } while processHeld() || hasReplyToQueue
            noteSentClose()
            endIfDone()
        }
        guard let registration else { return }
        loop.events.setInterest(interest, of: registration)
        updateTimer()
    }

    private var interest: Interest {
        switch life {
        case .handshaking:
            return readWantsWrite ? .write : .read
        case .open:
            var interest = Interest(rawValue: 0)
            if wantsInput || writeWantsRead { interest.insert(.read) }
            if readWantsWrite || (!isOutputEmpty && !writeWantsRead) { interest.insert(.write) }
            return interest
        case .lingering:
            return .read
        case .closed:
            return []
        }
    }

    private func continueHandshake() {
        guard case .tls(_, let session, _) = transport else { return }
        switch session.handshake() {
        case .done:
            life = .open
            readWantsWrite = false
            readInput()
        case .wantRead: readWantsWrite = false
        case .wantWrite: readWantsWrite = true
        case .closed, .failed: terminate()
        }
    }

    // MARK: Time

    private var deadline: Int64? {
        switch life {
        case .handshaking(let until), .lingering(let until):
            return until
        case .open:
            switch traffic {
            case .http(let http): return writeDeadline ?? http.machine.timeout?.at
            case .webSocket(let socket): return [writeDeadline, socket.machine.deadline].compactMap { $0 }.min()
            }
        case .closed:
            return nil
        }
    }

    private var writeDeadline: Int64? {
        stalledSince.map { $0 + Int64(loop.configuration.timeouts.write) }
    }

    /// A timer that would fire too early is left alone: when it fires, it is armed again. So a busy connection, whose
    /// deadline moves with every request, seldom touches its timer.
    private func updateTimer() {
        guard let deadline else { return }
        if let timer {
            guard deadline < timer.deadline else { return }
            loop.events.cancel(timer.id)
        }
        let delay = Int(deadline - loop.events.now)
        timer = (loop.events.after(milliseconds: delay) { [self] in timerFired() }, deadline)
    }

    private func timerFired() {
        timer = nil
        if let deadline, deadline <= loop.events.now { timedOut() }
        update()
    }

    private func timedOut() {
        let now = loop.events.now
        switch life {
        case .handshaking, .lingering: return terminate()
        case .closed: return
        case .open: break
        }
        if let writeDeadline, writeDeadline <= now { return terminate() }
        switch traffic {
        case .http(let http):
            switch http.machine.timeout?.1 {
            case .request: fail(ProtocolFailure(status: 408, reason: "The request did not arrive in time."))
            case .idle: terminate()
            case nil: break
            }
        case .webSocket(let socket):
            timePassed(on: socket)
        }
    }

    // MARK: Ending

    /// Lets the other end read what was sent, if it still listens, and ends.
    private func endIfDone() {
        guard case .open = life, isOutputEmpty, isTrafficDone else { return }
        guard !peerEnded else { return terminate() }
        transport.shutdownWrite()
        held = []
        let timeouts = loop.configuration.timeouts
        life = .lingering(until: loop.events.now + Int64(loop.isDraining ? timeouts.farewell : timeouts.close))
    }

    private var isTrafficDone: Bool {
        switch traffic {
        case .http(let http): http.machine.isFinished
        case .webSocket(let socket): !socket.machine.isOpen && !socket.machine.awaitsClose
        }
    }

    /// The server stops: what is in flight may finish.
    func drain() {
        switch (life, traffic) {
        case (.handshaking, _):
            terminate()
        case (.open, .http(let http)):
            // A request that has arrived is in flight even if nobody has looked at it yet.
            readInput()
            http.machine.drain()
            // Nothing was promised to an idle client, so there are no last words to read.
            guard case .open = life, http.machine.isFinished, isOutputEmpty else {
                afterFarewell { $0.refuseUnfinished() }
                return update()
            }
            transport.shutdownWrite()
            terminate()
        case (.open, .webSocket):
            closeForRestart()
            update()
        case (.lingering, _):
            afterFarewell { $0.terminate() }
        case (.closed, _):
            break
        }
    }

    /// Closes a WebSocket because the server stops.
    func closeForRestart() {
        closeSocket(.serviceRestart, reason: "The server restarts.")
        afterFarewell { $0.terminate() }
    }

    /// A stopping server has little patience with clients that do not hang up or do not end what they began.
    private func afterFarewell(_ body: @escaping (Connection) -> Void) {
        loop.events.after(milliseconds: loop.configuration.timeouts.farewell) { [weak self] in
            if let self { body(self) }
        }
    }

    /// The stop is not held up by what the client owes, but by what the application does: answers before this one.
    private func refuseUnfinished() {
        guard case .open = life, case .http(let http) = traffic, http.machine.isWithinRequest else { return }
        fail(ProtocolFailure(status: 503, reason: "The server restarts."))
        update()
        guard case .lingering = life else { return }
        // With unread input, the end would be a reset, and the answer lost.
        discardInput()
        terminate()
    }

    /// Ends at once, whatever is in flight. May be called again.
    func terminate() {
        if case .closed = life { return }
        life = .closed
        output.removeAll()
        held = []
        if let timer { loop.events.cancel(timer.id) }
        timer = nil
        if let registration { loop.events.unregister(registration) }
        registration = nil
        Syscall.close(transport.descriptor)
        switch traffic {
        case .http(let http): http.clientLeft()
        case .webSocket(let socket): reportClosed(socket)
        }
        loop.remove(self)
    }
}

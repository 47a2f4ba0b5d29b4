import WebSocket

/// Life and end of a WebSocket: Pings, the closing handshake, and what the other end must do until when (RFC 6455,
/// sections 5.5 and 7). A value without I/O and without a clock; times are monotonic milliseconds.
struct WebSocketStateMachine {
    /// What to do about a Close.
    enum CloseAction: Equatable {
        case nothing
        /// Send a Close with this code; nil sends one without a code.
        case send(CloseCode?)
        /// Both directions are closed: hang up when what waits is sent.
        case hangUp
    }

    /// What the time asks for.
    enum TimeAction: Equatable {
        case nothing
        case ping
        /// The other end is gone: send a Close with 1001.
        case closeSilent
        /// The closing handshake takes too long: hang up.
        case hangUp
    }

    private enum State {
        case open(nextPing: Int64, missed: Int)
        /// Ours is the last word; theirs is awaited, with a deadline once our Close has left.
        case closing(until: Int64?)
        case closed
    }

    private let pingInterval: Int64
    private let closeTimeout: Int64
    private var state: State

    init(_ timeouts: ServerConfiguration.Timeouts, now: Int64) {
        pingInterval = Int64(timeouts.ping)
        closeTimeout = Int64(timeouts.close)
        state = .open(nextPing: now + pingInterval, missed: 0)
    }

    /// Whether messages go in and out.
    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether the other end's Close is worth waiting for.
    var awaitsClose: Bool {
        if case .closing = state { true } else { false }
    }

    /// Bytes came, so somebody is there.
    mutating func heard() {
        if case .open(let nextPing, _) = state { state = .open(nextPing: nextPing, missed: 0) }
    }

    /// We want to close. False when that has begun before.
    mutating func close() -> Bool {
        guard isOpen else { return false }
        state = .closing(until: nil)
        return true
    }

    /// Our Close has reached the kernel, so the other end has its time to answer from now on.
    mutating func closeSent(now: Int64) {
        if case .closing(nil) = state { state = .closing(until: now + closeTimeout) }
    }

    /// The other end closes; its code is sent back (section 5.5.1).
    mutating func closeReceived(_ code: CloseCode?) -> CloseAction {
        defer { state = .closed }
        return switch state {
        case .open: .send(code)
        case .closing: .hangUp
        case .closed: .nothing
        }
    }

    /// The other end breaks the protocol: nothing it sends counts any more, not even a Close.
    mutating func failed(_ code: CloseCode) -> CloseAction {
        defer { state = .closed }
        return isOpen ? .send(code) : .hangUp
    }

    /// When `timeReached` is to be called; nil when only sending is waited for.
    var deadline: Int64? {
        switch state {
        case .open(let nextPing, _): nextPing
        case .closing(let until): until
        case .closed: nil
        }
    }

    mutating func timeReached(now: Int64) -> TimeAction {
        switch state {
        case .open(let nextPing, let missed) where now >= nextPing:
            // One Ping may go unanswered; the second in a row means that nobody is there.
            guard missed < 2 else {
                state = .closing(until: nil)
                return .closeSilent
            }
            state = .open(nextPing: now + pingInterval, missed: missed + 1)
            return .ping
        case .closing(let until?) where now >= until:
            state = .closed
            return .hangUp
        default:
            return .nothing
        }
    }
}

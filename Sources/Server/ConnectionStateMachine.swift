import HTTP1

/// The order of things on an HTTP/1 connection: which requests wait for answers, which answer may leave next, when no
/// more requests are read, and what the other end must do until when (RFC 9112, section 9).
///
/// A value without I/O and without a clock: events go in with the time in monotonic milliseconds, decisions come out.
struct ConnectionStateMachine {
    /// An answer that waits for its turn.
    enum Reply {
        case response(Response)
        case upgrade(HeaderFields, Request)

        /// What waiting costs; a stream is only asked when its turn has come.
        fileprivate var byteCount: Int {
            if case .response(let response) = self { response.byteCount } else { 0 }
        }
    }

    /// One request until its answer leaves.
    struct Exchange {
        let sequence: UInt32
        let method: Method
        /// Without query; empty for a request that could not be read.
        let path: String
        let minorVersion: Int
        let keepsAlive: Bool
        /// Monotonic nanoseconds.
        let startedAt: Int64
        fileprivate(set) var reply: Reply?
        /// Whether the client still waits for a 100 (RFC 9110, section 10.1.1).
        fileprivate(set) var awaitsContinue = false
    }

    /// What may be sent next.
    enum NextReply {
        case nothing
        /// A 100 response.
        case interim
        /// The answer; the connection ends after it unless `keepsAlive`.
        case final(Exchange, Reply, keepsAlive: Bool)
    }

    /// What was waited for in vain.
    enum Timeout: Equatable {
        /// Answer 408 and close.
        case request
        /// Close.
        case idle
    }

    private enum Reading {
        /// Between requests.
        case idle
        case head(since: Int64)
        case body(since: Int64, lastAt: Int64, count: Int)
        /// No more requests are read.
        case finished
    }

    private let timeouts: ServerConfiguration.Timeouts
    private let bodyBytesPerSecond: Int
    private let leasedBytesPerSecond: Int
    /// Of the request being read.
    private var slowestPace: Int
    private let maximumInFlight: Int
    private let maximumOwed: Int
    private let maximumBytes: Int
    private var reading = Reading.idle
    /// Oldest first, with sequences that follow each other.
    private var exchanges: [Exchange] = []
    /// The exchanges that have a reply, and the bytes of these.
    private var waiting = (count: 0, bytes: 0)
    private var nextSequence: UInt32 = 0
    private var isDraining = false
    /// When the connection last did something between requests.
    private var idleSince: Int64

    init(_ configuration: ServerConfiguration, now: Int64) {
        timeouts = configuration.timeouts
        bodyBytesPerSecond = configuration.bodyBytesPerSecond
        leasedBytesPerSecond = configuration.leasedBytesPerSecond
        slowestPace = bodyBytesPerSecond
        maximumInFlight = configuration.maximumExchangesInFlight
        maximumOwed = configuration.maximumAnswersOwed
        maximumBytes = configuration.responseBytesQueued
        idleSince = now
    }

    // MARK: Reading requests

    /// Whether input is to be read. Within a request it always is; a new one must wait while too many are in flight, or
    /// while too many bytes of finished answers wait, here and as `queuedBytes` elsewhere.
    func takesInput(besides queuedBytes: Int = 0) -> Bool {
        switch reading {
        case .idle: exchanges.count < maximumInFlight && waiting.bytes + queuedBytes <= maximumBytes
        case .head, .body: true
        case .finished: false
        }
    }

    /// Whether input is to be parsed: a new request must also wait while the application owes too many answers, because
    /// nobody knows how long these will be.
    func takesRequest(besides queuedBytes: Int = 0) -> Bool {
        guard takesInput(besides: queuedBytes) else { return false }
        return isWithinRequest || exchanges.count - waiting.count < maximumOwed
    }

    /// Whether a request has begun and not ended.
    var isWithinRequest: Bool {
        switch reading {
        case .head, .body: true
        case .idle, .finished: false
        }
    }

    /// Whether the answers that wait are the last.
    var isFinishedReading: Bool {
        if case .finished = reading { true } else { false }
    }

    /// Whether the connection has nothing more to do.
    var isFinished: Bool { isFinishedReading && exchanges.isEmpty }

    /// The input is used up within a head.
    mutating func headPaused(now: Int64) {
        if case .idle = reading { reading = .head(since: now) }
    }

    /// A head is complete. Returns the sequence of the exchange it begins.
    mutating func headReceived(_ head: RequestHead, now: Int64, nanoseconds: Int64) -> UInt32 {
        reading = .body(since: now, lastAt: now, count: 0)
        slowestPace = bodyBytesPerSecond
        return begin(
            Exchange(
                sequence: nextSequence, method: head.method, path: head.rawPath, minorVersion: head.minorVersion,
                keepsAlive: head.keepsAlive, startedAt: nanoseconds))
    }

    /// The body of the request being read must come at the pace of bodies that have a lease.
    mutating func requireLeasedPace() { slowestPace = leasedBytesPerSecond }

    /// The client of the request being read wants a 100 before it sends the body.
    mutating func continueExpected() {
        guard let last = exchanges.indices.last else { return }
        exchanges[last].awaitsContinue = true
    }

    mutating func bodyReceived(_ count: Int, now: Int64) {
        guard case .body(let since, _, let before) = reading else { return }
        reading = .body(since: since, lastAt: now, count: before + count)
        // A client that did not wait needs no 100 any more.
        if let last = exchanges.indices.last { exchanges[last].awaitsContinue = false }
    }

    mutating func requestReceived(now: Int64) {
        let isLast = isDraining || exchanges.last.map { !$0.keepsAlive } ?? false
        reading = isLast ? .finished : .idle
        idleSince = now
    }

    /// Nothing more can or will be read: the request cannot be understood, was refused, or is an upgrade.
    mutating func stopReading() {
        reading = .finished
    }

    /// The sequence to answer when the request being read has failed; one is made up when its head was not complete.
    mutating func requestFailed(nanoseconds: Int64) -> UInt32 {
        defer { reading = .finished }
        if case .body = reading, let last = exchanges.last { return last.sequence }
        return begin(
            Exchange(
                sequence: nextSequence, method: .get, path: "", minorVersion: 1, keepsAlive: false,
                startedAt: nanoseconds))
    }

    /// The other end sends nothing more. A request that was on its way is forgotten; the others are answered.
    mutating func inputEnded() {
        if case .body = reading { exchanges.removeLast() }
        reading = .finished
    }

    /// The server is to stop: the request being read is the last.
    mutating func drain() {
        isDraining = true
        if case .idle = reading { reading = .finished }
    }

    private mutating func begin(_ exchange: Exchange) -> UInt32 {
        exchanges.append(exchange)
        nextSequence &+= 1
        return exchange.sequence
    }

    // MARK: Answering

    /// An answer is ready. False when nobody waits for it any more.
    mutating func replyReady(_ sequence: UInt32, _ reply: Reply) -> Bool {
        guard let first = exchanges.first else { return false }
        let index = Int(sequence &- first.sequence)
        guard index < exchanges.count, exchanges[index].reply == nil else { return false }
        exchanges[index].reply = reply
        waiting.count += 1
        waiting.bytes += reply.byteCount
        return true
    }

    /// Whether the next answer is there.
    var hasReply: Bool { exchanges.first?.reply != nil }

    /// Takes the next answer, in the order of the requests. After one that ends the connection there is none.
    mutating func nextReply(now: Int64) -> NextReply {
        guard let first = exchanges.first else { return .nothing }
        guard let reply = first.reply else {
            guard first.awaitsContinue else { return .nothing }
            exchanges[0].awaitsContinue = false
            reading = .body(since: now, lastAt: now, count: 0)
            return .interim
        }
        exchanges.removeFirst()
        waiting.count -= 1
        waiting.bytes -= reply.byteCount
        idleSince = now
        var closes = !first.keepsAlive || isFinished
        switch reply {
        case .response(let response):
            // Without chunks, a stream only ends with the connection.
            let endsWithConnection = first.minorVersion == 0 && response.isStream
            closes = closes || response.closesConnection || endsWithConnection
        case .upgrade: closes = true
        }
        if closes {
            reading = .finished
            exchanges.removeAll()
            waiting = (0, 0)
        }
        return .final(first, reply, keepsAlive: !closes)
    }

    // MARK: Waiting

    /// Until when something must happen, and what it means if not. Nil while only the application is waited for.
    var timeout: (at: Int64, Timeout)? {
        switch reading {
        case .idle:
            return exchanges.isEmpty ? (idleSince + Int64(timeouts.idle), .idle) : nil
        case .head(let since):
            return (since + Int64(timeouts.head), .request)
        case .body where exchanges.last?.awaitsContinue == true:
            return nil
        case .body(let since, let lastAt, let count):
            let slowest = Int64(timeouts.body) + Int64(count) * 1000 / Int64(max(slowestPace, 1))
            return (min(lastAt + Int64(timeouts.body), since + slowest), .request)
        case .finished:
            return nil
        }
    }
}

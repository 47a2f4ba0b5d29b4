import Bytes
import Crypto
import HTTP1
import Reactor
import WebSocket

/// What a connection needs while it speaks HTTP/1.
final class HTTPTraffic {
    /// A request whose head is complete.
    struct PartialRequest {
        let sequence: UInt32
        let head: RequestHead
        var body: [UInt8] = []
        /// Whether it was answered before its end.
        var isRefused: Bool
        /// What the body takes its memory from, if from a common budget.
        var lease: (any BodyLease)?
    }

    var parser: RequestParser
    var machine: ConnectionStateMachine
    var request: PartialRequest?
    /// The request that may turn this connection into a WebSocket; nothing after it is HTTP.
    var upgrade: (sequence: UInt32, request: Request)?
    /// Of the last complete request that had one, while the application works on it.
    private weak var lease: (any BodyLease)?

    var awaitsUpgrade: Bool { upgrade != nil }

    init(_ configuration: ServerConfiguration, now: Int64) {
        parser = RequestParser(limits: configuration.requestLimits)
        machine = ConnectionStateMachine(configuration, now: now)
    }

    func requestReceived(_ lease: any BodyLease) {
        self.lease = lease
        lease.received()
    }

    func clientLeft() { lease?.clientLeft() }
}

// MARK: Requests

extension Connection {
    /// Reads requests out of the input until it is used up or no more are wanted.
    func parse(_ http: HTTPTraffic, _ input: Span<UInt8>, _ position: inout Int) {
        while http.machine.takesRequest(besides: output.byteCount) {
            switch http.parser.next(input, &position) {
            case .needMore:
                if !http.parser.isBetweenRequests { http.machine.headPaused(now: loop.events.now) }
                return
            case .head(let head):
                headReceived(head, on: http, isInputLeft: position < input.count)
            case .body(let range):
                http.machine.bodyReceived(range.count, now: loop.events.now)
                bodyReceived(input.extracting(range), on: http)
            case .end:
                requestReceived(on: http)
            case .failure(let failure):
                fail(ProtocolFailure(status: failure.status, reason: failure.reason))
            }
        }
    }

    private func headReceived(_ head: RequestHead, on http: HTTPTraffic, isInputLeft: Bool) {
        let sequence = http.machine.headReceived(
            head, now: loop.events.now, nanoseconds: Syscall.monotonicNanoseconds())
        switch handler.admit(head, from: peerAddress) {
        case .accept(let bodyLimit, let lease):
            http.parser.setBodyLimit(bodyLimit)
            http.request = HTTPTraffic.PartialRequest(sequence: sequence, head: head, isRefused: false, lease: lease)
            // Room that is not used yet costs no memory, and growing by copies would cost it twice.
            if lease != nil { http.machine.requireLeasedPace() }
            if lease != nil, case .length(let length) = head.framing, length <= bodyLimit {
                http.request?.body.reserveCapacity(length)
            }
            if head.expectsContinue, !isInputLeft, head.framing.fits(bodyLimit) { http.machine.continueExpected() }
        case .refuse(let response):
            http.request = HTTPTraffic.PartialRequest(sequence: sequence, head: head, isRefused: true)
            _ = http.machine.replyReady(sequence, .response(response))
            if head.framing != .none { http.machine.stopReading() }
        }
    }

    private func bodyReceived(_ piece: Span<UInt8>, on http: HTTPTraffic) {
        guard http.request?.lease?.take(piece.count) != false else {
            return fail(ProtocolFailure(status: 503, reason: "The server has no room for this body now."))
        }
        http.request?.body.append(copying: piece)
    }

    private func requestReceived(on http: HTTPTraffic) {
        guard let partial = http.request else { return }
        http.request = nil
        http.machine.requestReceived(now: loop.events.now)
        guard !partial.isRefused else { return }
        if let lease = partial.lease { http.requestReceived(lease) }
        let request = Request(
            head: partial.head, body: partial.body, peerAddress: peerAddress, isSecure: transport.isSecure,
            lease: partial.lease)
        let exchange = ExchangeID(connection: id, sequence: partial.sequence)
        // Asked for here, so that an answer given from within the call finds the request.
        if request.head.wantsWebSocket { http.upgrade = (partial.sequence, request) }
        switch handler.respond(to: request, exchange: exchange) {
        case .now(let response):
            complete(partial.sequence, response)
        case .later:
            break
        case .upgrade(let headers):
            upgrade(partial.sequence, headers, request)
        }
        // What follows may be frames already.
        if http.awaitsUpgrade { http.machine.stopReading() }
    }

    /// Answers the request being read with a refusal of our own, and reads no other.
    func fail(_ failure: ProtocolFailure) {
        guard case .http(let http) = traffic else { return }
        http.request = nil
        let sequence = http.machine.requestFailed(nanoseconds: Syscall.monotonicNanoseconds())
        complete(sequence, handler.failure(failure))
    }
}

// MARK: Answers

extension Connection {
    /// Bodies up to this size are copied behind their heads; larger ones are sent from where they are.
    private static let copiedBodyBytes = 16 * 1024

    /// An answer is ready; it leaves when its turn comes. Nothing happens when nobody waits for it any more.
    func complete(_ sequence: UInt32, _ response: Response) {
        guard case .http(let http) = traffic else { return }
        if http.upgrade?.sequence == sequence { http.upgrade = nil }
        if http.machine.replyReady(sequence, .response(response)) { loop.markDirty(self) }
    }

    /// The connection becomes a WebSocket when the turn of that request comes (RFC 6455, section 4.2.2).
    func upgrade(_ sequence: UInt32, _ headers: HeaderFields, _ request: Request) {
        guard case .http(let http) = traffic else { return }
        guard request.head.wantsWebSocket else {
            var refusal = handler.failure(ProtocolFailure(status: 426, reason: "This address is for WebSockets."))
            refusal.headers.set("upgrade", "websocket")
            return complete(sequence, refusal)
        }
        do throws(Handshake.Refusal) {
            let source = try Handshake.acceptSource(
                method: request.head.method.rawValue, minorVersion: request.head.minorVersion,
                versions: request.head.headers.all("sec-websocket-version"),
                keys: request.head.headers.all("sec-websocket-key"))
            var headers = headers
            headers.set("upgrade", "websocket")
            headers.set("connection", "Upgrade")
            headers.set("sec-websocket-accept", Base64.encode(Digest.sha1(source)))
            if let agreement = request.deflateAgreement { headers.set("sec-websocket-extensions", agreement.header) }
            if http.machine.replyReady(sequence, .upgrade(headers, request)) { loop.markDirty(self) }
        } catch {
            complete(sequence, refusal(of: error))
        }
    }

    private func refusal(of error: Handshake.Refusal) -> Response {
        switch error {
        case .malformed(let reason):
            return handler.failure(ProtocolFailure(status: error.status, reason: reason))
        case .unsupportedVersion:
            let reason = "Only version 13 of the WebSocket protocol is spoken here."
            var response = handler.failure(ProtocolFailure(status: error.status, reason: reason))
            response.headers.set("sec-websocket-version", Handshake.version)
            return response
        }
    }

    /// Whether an answer could go to the output queue.
    var hasReplyToQueue: Bool {
        guard case .http(let http) = traffic, case .open = life else { return false }
        return http.machine.hasReply && !isOutputHigh
    }

    /// Moves answers whose turn has come to the output queue. They wait while the other end is slow to read, and then no
    /// more requests are read either.
    func queueReplies() {
        while case .http(let http) = traffic, !isOutputHigh {
            switch http.machine.nextReply(now: loop.events.now) {
            case .nothing:
                return
            case .interim:
                output.append(ResponseSerializer.continueResponse)
            case .final(let exchange, .response(let response), let keepsAlive):
                queue(response, exchange, keepsAlive: keepsAlive)
            case .final(let exchange, .upgrade(let headers, let request), _):
                queueUpgrade(exchange, headers, request)
            }
        }
    }

    private func queue(
        _ response: Response, _ exchange: ConnectionStateMachine.Exchange, keepsAlive: Bool
    ) {
        let sendsBody = ResponseSerializer.sendsBody(status: response.status, method: exchange.method)
        switch response.body {
        case .bytes(let body):
            queue(response, [body], exchange, sendsBody: sendsBody, keepsAlive: keepsAlive)
        case .parts(let first, let second):
            queue(response, [first, second], exchange, sendsBody: sendsBody, keepsAlive: keepsAlive)
        case .stream(let next):
            output.append(head(of: response, exchange, .chunked, keepsAlive: keepsAlive))
            guard sendsBody else { return finished(exchange, response.status, label: response.label, bytes: 0) }
            output.append(
                ResponseStream(next, isChunked: exchange.minorVersion > 0) { [weak self] count in
                    self?.finished(exchange, response.status, label: response.label, bytes: count)
                })
        case .file(let length, let next):
            output.append(head(of: response, exchange, .length(length), keepsAlive: keepsAlive))
            guard sendsBody else { return finished(exchange, response.status, label: response.label, bytes: 0) }
            output.append(
                ResponseStream(next, isChunked: false) { [weak self] count in
                    self?.finished(exchange, response.status, label: response.label, bytes: count)
                    // Nobody could tell what belongs to this answer and what to the next.
                    if count != length { self?.loop.afterWriting { self?.terminate() } }
                })
        }
    }

    private func queue(
        _ response: Response, _ parts: [[UInt8]], _ exchange: ConnectionStateMachine.Exchange, sendsBody: Bool,
        keepsAlive: Bool
    ) {
        let count = response.byteCount
        var bytes = head(of: response, exchange, .length(count), keepsAlive: keepsAlive)
        if sendsBody, count <= Self.copiedBodyBytes { for part in parts { bytes.append(contentsOf: part) } }
        output.append(bytes)
        if sendsBody, count > Self.copiedBodyBytes { for part in parts { output.append(part) } }
        finished(exchange, response.status, label: response.label, bytes: sendsBody ? count : 0)
    }

    private func queueUpgrade(
        _ exchange: ConnectionStateMachine.Exchange, _ headers: HeaderFields, _ request: Request
    ) {
        guard !peerEnded else { return }
        let response = Response(status: 101, headers: headers)
        output.append(head(of: response, exchange, .length(0), keepsAlive: true))
        finished(exchange, 101, label: response.label, bytes: 0)
        let socket = SocketTraffic(loop.configuration, request.deflateAgreement, now: loop.events.now)
        traffic = .webSocket(socket)
        handler.socketOpened(id, request: request)
        if loop.isDraining { closeForRestart() }
    }

    private func head(
        of response: Response, _ exchange: ConnectionStateMachine.Exchange, _ framing: ResponseHead.Framing,
        keepsAlive: Bool
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        ResponseSerializer.append(
            ResponseHead(
                status: response.status, headers: response.headers, framing: framing,
                minorVersion: exchange.minorVersion, keepsAlive: keepsAlive),
            date: loop.date, to: &bytes)
        return bytes
    }

    private func finished(
        _ exchange: ConnectionStateMachine.Exchange, _ status: Int, label: String, bytes: Int
    ) {
        let nanoseconds = Syscall.monotonicNanoseconds() - exchange.startedAt
        handler.exchangeFinished(
            ExchangeRecord(
                id: ExchangeID(connection: id, sequence: exchange.sequence), peerAddress: peerAddress,
                method: exchange.method, path: exchange.path, label: label, status: status, bytes: bytes,
                microseconds: Int(nanoseconds / 1000)))
    }
}

extension Request {
    fileprivate var deflateAgreement: DeflateAgreement? {
        DeflateAgreement(offers: head.headers.all("sec-websocket-extensions"))
    }
}

extension RequestHead.Framing {
    /// Whether a declared length is within the limit; how long chunks will be is not known.
    fileprivate func fits(_ limit: Int) -> Bool {
        if case .length(let length) = self { length <= limit } else { self == .chunked }
    }
}

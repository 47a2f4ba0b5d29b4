import Crypto
import Glibc
import HTTP1
import Reactor

/// The one way out: calls other servers over HTTP/1.1. Usable on any thread that may wait; every call blocks until it is
/// answered or its time is up, so never on a loop and never on the writer.
///
/// A call looks the name up once and connects to an address that passed the policy, so that no second look-up can lead
/// elsewhere. Each redirect is checked like a call of its own. Connections are not kept.
package final class OutboundClient: Sendable {
    /// Addresses of a host that are tried at most.
    private static let addressLimit = 4
    /// What goes along to another origin.
    private static let harmlessHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "content-type", "user-agent",
    ]

    private let policy: AddressPolicy
    private let trust: Trust
    private let names: NameLookup
    /// Readable once calls must end.
    private let stop: Int32

    /// - Parameters:
    ///   - trustedAuthoritiesPath: PEM file of the authorities that TLS trusts; nil for those of the system.
    ///   - resolve: looks a name up and may block; for tests.
    /// - Throws: when the file cannot be read, or the system has no descriptor left.
    package init(
        policy: AddressPolicy = AddressPolicy(), trustedAuthoritiesPath: String? = nil,
        resolve: @escaping @Sendable (String, UInt16) -> [SocketAddress] = { SocketAddress.all(host: $0, port: $1) }
    ) throws(TLSError) {
        self.policy = policy
        trust = try Trust(path: trustedAuthoritiesPath)
        names = NameLookup(resolve)
        do {
            stop = try Syscall.makeEventCounter()
        } catch {
            throw TLSError(error.description)
        }
        // TLS writes to a peer that went away.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit { Syscall.close(stop) }

    /// Ends all calls, those to come included, with `unavailable`.
    package func stopCalls() { Syscall.raise(stop) }

    /// Makes a call and waits for its whole answer, whatever its status.
    package func send(
        _ request: OutboundRequest, limits: OutboundLimits = OutboundLimits()
    ) throws(OutboundError) -> OutboundResponse {
        let patience = Patience(milliseconds: limits.totalMilliseconds, stop: stop)
        guard var url = OutboundURL(request.url) else { throw .malformedRequest }
        var request = request
        if !request.headers.contains("user-agent") { request.headers.add("user-agent", "Parley") }
        if !request.headers.contains("accept-encoding") { request.headers.add("accept-encoding", "identity") }
        var redirectsLeft = request.redirects
        while true {
            let answer = try exchange(request, url, limits, patience)
            guard request.redirects > 0, let location = Self.redirection(answer) else { return answer }
            guard redirectsLeft > 0, let next = url.resolving(location), next.isSecure || !url.isSecure else {
                throw .badRedirect
            }
            redirectsLeft -= 1
            Self.redirect(&request, status: answer.status, leavesOrigin: next.origin != url.origin)
            url = next
        }
    }

    // MARK: Redirects

    private static func redirection(_ answer: OutboundResponse) -> String? {
        switch answer.status {
        case 301, 302, 303, 307, 308: answer.headers["location"]
        default: nil
        }
    }

    /// RFC 9110, section 15.4: a POST that is answered by 301 or 302 goes on as GET, as browsers do it.
    private static func redirect(_ request: inout OutboundRequest, status: Int, leavesOrigin: Bool) {
        let becomesGet =
            status == 303 ? request.method != .head : (status == 301 || status == 302) && request.method == .post
        if becomesGet {
            request.method = .get
            request.body = nil
        }
        var headers = HeaderFields()
        for (name, value) in request.headers where !leavesOrigin || harmlessHeaders.contains(name) {
            if becomesGet, name == "content-type" { continue }
            headers.add(name, value)
        }
        request.headers = headers
    }

    // MARK: One exchange

    private func exchange(
        _ request: OutboundRequest, _ url: OutboundURL, _ limits: OutboundLimits, _ patience: Patience
    ) throws(OutboundError) -> OutboundResponse {
        guard
            let bytes = RequestSerializer.bytes(
                request.method, target: url.target, host: url.authority, headers: request.headers, body: request.body)
        else { throw .malformedRequest }
        let connection = try connect(url, limits, patience)
        let isSent = try connection.send(bytes)
        do throws(OutboundError) {
            return try receive(on: connection, to: request.method, limits)
        } catch {
            if error == .truncated, !isSent { throw .unreachable("the peer stopped reading") }
            throw error
        }
    }

    private func connect(
        _ url: OutboundURL, _ limits: OutboundLimits, _ patience: Patience
    ) throws(OutboundError) -> OutboundConnection {
        var addresses = try names.addresses(of: url.host, port: url.port, patience)
        if !policy.allows(url) { addresses.removeAll { !AddressPolicy.isPublic($0) } }
        let tls = url.isSecure ? try trust.context() : nil
        var failure = OutboundError.forbiddenAddress
        for address in addresses.prefix(Self.addressLimit) {
            do throws(OutboundError) {
                return try OutboundConnection(
                    address, serverName: url.host, tls: tls,
                    connect: patience.cut(to: limits.connectMilliseconds), patience)
            } catch {
                failure = error
                switch error {
                case .unreachable, .timedOut: continue
                default: throw error
                }
            }
        }
        throw failure
    }

    private func receive(
        on connection: OutboundConnection, to method: Method, _ limits: OutboundLimits
    ) throws(OutboundError) -> OutboundResponse {
        var parser = ResponseParser(to: method, limits: Self.parserLimits(limits))
        var head: ReceivedHead?
        var body: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = try connection.receive(into: &buffer, isCleanEndNeeded: head?.framing == .untilClose)
            guard count > 0 else {
                guard parser.connectionEnded(), let head else { throw .truncated }
                return OutboundResponse(status: head.status, headers: head.headers, body: body)
            }
            var position = 0
            feeding: while true {
                switch parser.next(buffer.span.extracting(..<count), &position) {
                case .needMore: break feeding
                case .head(let found): head = found
                case .body(let range): body += buffer[range]
                case .end:
                    guard let head else { throw .truncated }
                    return OutboundResponse(status: head.status, headers: head.headers, body: body)
                case .failure(let failure): throw Self.error(failure)
                }
            }
        }
    }

    private static func parserLimits(_ limits: OutboundLimits) -> Limits {
        var parser = Limits()
        parser.headBytes = limits.headBytes
        parser.bodyBytes = limits.responseBytes
        return parser
    }

    private static func error(_ failure: ParseFailure) -> OutboundError {
        switch failure {
        case .bodyTooLarge, .headTooLarge, .tooManyHeaders, .trailersTooLarge: .tooLarge
        default: .malformedAnswer(failure)
        }
    }
}

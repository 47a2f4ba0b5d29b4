import COpenSSL
import Glibc

/// One TLS connection over a file descriptor that the caller owns, may set non-blocking and closes after the session.
///
/// Not Sendable: it lives on the thread of its connection. The process must ignore SIGPIPE.
package final class TLSSession {
    /// How far the handshake is.
    package enum Step: Sendable, Equatable {
        case done
        /// Call again when the descriptor is readable.
        case wantRead
        /// Call again when the descriptor is writable.
        case wantWrite
        /// The peer went away.
        case closed
        /// For the log.
        case failed(String)
    }

    /// What came of a read or a write.
    package enum IOResult: Sendable, Equatable {
        case bytes(Int)
        /// Call again when the descriptor is readable; a write may want this too.
        case wantRead
        /// Call again when the descriptor is writable; a read may want this too.
        case wantWrite
        /// The peer said close_notify or just closed.
        case closed
        /// For the log. The session is beyond use.
        case failed(String)
    }

    private let ssl: OpaquePointer
    private let context: TLSContext
    /// Set by a fatal error, after which OpenSSL might still write and must not say goodbye.
    private var isBroken = false
    /// Whether the peer said close_notify: only then is everything there of a message that ends with the connection.
    package private(set) var wasClosedCleanly = false
    private static let brokenReason = "the session failed before"

    /// A session on a connected descriptor. A client checks the certificate against `serverName`, a host name or
    /// an address; without one it checks the chain alone. Servers ignore it.
    package init(_ context: TLSContext, fileDescriptor: Int32, serverName: String? = nil) throws(TLSError) {
        OpenSSLError.clear()
        guard let ssl = SSL_new(context.pointer) else {
            throw TLSError("A TLS session cannot start: \(OpenSSLError.takeReason()).")
        }
        self.ssl = ssl
        self.context = context
        guard SSL_set_fd(ssl, fileDescriptor) == 1 else {
            throw TLSError("A TLS session cannot start: \(OpenSSLError.takeReason()).")
        }
        switch context.role {
        case .server: SSL_set_accept_state(ssl)
        case .client:
            SSL_set_connect_state(ssl)
            if let serverName { Self.setServerName(serverName, on: ssl) }
        }
    }

    deinit {
        SSL_free(ssl)
    }

    /// Goes on with the handshake. Call it until it is done, fails or is closed.
    package func handshake() -> Step {
        guard !isBroken else { return .failed(Self.brokenReason) }
        OpenSSLError.clear()
        let result = SSL_do_handshake(ssl)
        guard result != 1 else { return .done }
        return switch outcome(of: result) {
        case .bytes: .done
        case .wantRead: .wantRead
        case .wantWrite: .wantWrite
        case .closed: .closed
        case .failed(let reason): .failed(reason)
        }
    }

    /// Reads what has arrived. Read until `wantRead`: decrypted bytes may wait inside where no poll sees them.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        guard !isBroken else { return .failed(Self.brokenReason) }
        guard !buffer.isEmpty else { return .bytes(0) }
        OpenSSLError.clear()
        let result = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        return result > 0 ? .bytes(Int(result)) : outcome(of: result)
    }

    /// Writes some of the bytes: at most one record of 16 KiB at a time. After `wantRead` or `wantWrite` the same bytes
    /// must be offered again first, though they may have moved and more may follow them.
    package func write(_ buffer: UnsafeRawBufferPointer) -> IOResult {
        guard !isBroken else { return .failed(Self.brokenReason) }
        guard !buffer.isEmpty else { return .bytes(0) }
        OpenSSLError.clear()
        let result = SSL_write(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        return result > 0 ? .bytes(Int(result)) : outcome(of: result)
    }

    /// Says close_notify if the session is healthy. Never waits, never fails.
    package func shutdown() {
        guard !isBroken, SSL_in_init(ssl) == 0 else { return }
        OpenSSLError.clear()
        SSL_shutdown(ssl)
        OpenSSLError.clear()
    }

    /// Decrypted bytes that `read` would return without touching the descriptor.
    package var pendingBytes: Int { Int(SSL_pending(ssl)) }

    /// For the log, for example `TLSv1.3`.
    package var protocolVersion: String { String(cString: SSL_get_version(ssl)) }

    /// What ALPN agreed on: `http/1.1`, or nil when the client offered nothing.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    private func outcome(of result: Int32) -> IOResult {
        let systemError = errno
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantRead
        case SSL_ERROR_WANT_WRITE: return .wantWrite
        case SSL_ERROR_ZERO_RETURN:
            wasClosedCleanly = true
            return .closed
        case SSL_ERROR_SYSCALL:
            isBroken = true
            switch systemError {
            case 0, EPIPE, ECONNRESET: return .closed
            default: return .failed(String(cString: strerror(systemError)))
            }
        default:
            isBroken = true
            let reason = OpenSSLError.takeReason()
            // A peer that closes without close_notify. HTTP and WebSocket know their own ends, so nothing is lost.
            return reason == "unexpected eof while reading" ? .closed : .failed(reason)
        }
    }

    private static func setServerName(_ name: String, on ssl: OpaquePointer) {
        // An address is compared with the addresses in the certificate and never sent as SNI (RFC 6066, section 3).
        guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) != 1 else { return }
        SSL_set1_host(ssl, name)
        name.withCString {
            _ = SSL_ctrl(
                ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), UnsafeMutableRawPointer(mutating: $0)
            )
        }
    }
}

import Crypto
import HTTP1

/// Where a server listens and what it puts up with.
package struct ServerConfiguration: Sendable {
    /// How long the server waits, all in milliseconds.
    package struct Timeouts: Sendable, Equatable {
        /// From the first byte of a request to the end of its head; also for a TLS handshake.
        package var head = 10_000
        /// Between two reads of a body. The whole body has this long, plus one second for each `bodyBytesPerSecond`.
        package var body = 30_000
        /// Without a request on an open connection.
        package var idle = 75_000
        /// Without the other end taking anything of what waits to be sent.
        package var write = 30_000
        /// For the other end to read the last answer and hang up, and for its Close after ours has reached the kernel.
        package var close = 5_000
        /// The same while the server stops, and then also for the rest of a request that has begun.
        package var farewell = 1_000
        /// Between two Pings on a WebSocket; two without a sign of life close it.
        package var ping = 30_000

        /// The numbers above.
        package init() {}
    }

    /// A numeric address or a name, for example `0.0.0.0`, `::` (IPv4 as well) or `localhost`.
    package var host = "127.0.0.1"
    /// 0 lets the kernel choose; `HTTPServer.port` tells.
    package var port: UInt16 = 0
    /// With `tls`, the port for HTTPS; 0 lets the kernel choose.
    package var tlsPort: UInt16 = 0
    /// Certificate and key; nil for a server without HTTPS.
    package var tls: TLSContext?
    /// How many event loops, each with a thread.
    package var loopCount = 1
    /// What a request may measure.
    package var requestLimits = Limits()
    /// How long the server waits for what.
    package var timeouts = Timeouts()
    /// The slowest body that is put up with.
    package var bodyBytesPerSecond = 256
    /// The same for bodies that have a lease: what is large takes a place from others while it comes.
    package var leasedBytesPerSecond = 4096
    /// Connections of all loops together. Whoever comes beyond is answered 503.
    package var maximumConnections = 20_000
    /// Requests of one connection that wait for their answers; then no more are read.
    package var maximumExchangesInFlight = 64
    /// Requests of one connection that the application has not answered; the next must wait. One, so that a request finds
    /// what the one before it has changed (RFC 9112, section 9.3.2), and answers of unknown length do not pile up.
    package var maximumAnswersOwed = 1
    /// Bytes of finished answers that one connection may leave unread before no more requests are read. A single answer
    /// may have more.
    package var responseBytesQueued = 256 * 1024
    /// Payload of one inbound WebSocket message and of each of its frames, in bytes.
    package var socketMessageBytes = 1024
    /// Bytes that may wait for one WebSocket; beyond it is closed with 1013.
    package var socketBytesQueued = 256 * 1024
    /// Entries (`FrameBatch`) that may wait for one WebSocket; beyond it is closed with 1013.
    package var socketEntriesQueued = 256
    /// The kernel's send buffer for each connection, in bytes; nil leaves it to the kernel, which is right but for tests.
    package var sendBufferBytes: Int?

    /// A server on a free local port, with one loop and the limits above.
    package init() {}
}

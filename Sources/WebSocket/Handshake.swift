import Bytes

/// The opening handshake as a server sees it (RFC 6455, section 4.2).
package enum Handshake {
    /// Why a request for a WebSocket is refused.
    package enum Refusal: Error, Sendable, Equatable {
        /// Answer 400.
        case malformed(String)
        /// Answer 426 with the header `Sec-WebSocket-Version: 13` (section 4.2.2).
        case unsupportedVersion

        /// The HTTP status of the answer.
        package var status: Int {
            switch self {
            case .malformed: 400
            case .unsupportedVersion: 426
            }
        }
    }

    /// The only version there is.
    package static let version = "13"

    /// Checks the fields of a request whose `Upgrade` and `Connection` headers already ask for a WebSocket.
    /// `version` and `key` are the values of `Sec-WebSocket-Version` and `Sec-WebSocket-Key`, all that were sent.
    /// - Returns: the bytes whose SHA-1, in base 64, is the value of `Sec-WebSocket-Accept`.
    package static func acceptSource(
        method: String, minorVersion: Int, versions: [String], keys: [String]
    ) throws(Refusal) -> [UInt8] {
        guard method == "GET", minorVersion == 1 else {
            throw .malformed("A WebSocket starts with a GET request of HTTP/1.1.")
        }
        guard versions == [version] else { throw .unsupportedVersion }
        guard keys.count == 1, let key = keys.first, Base64.decode(key)?.count == 16 else {
            throw .malformed("Sec-WebSocket-Key must be 16 bytes in base 64.")
        }
        return acceptSource(key: key)
    }

    /// The bytes whose SHA-1, in base 64, answers `key`; for clients that check the server.
    package static func acceptSource(key: String) -> [UInt8] {
        [UInt8](key.utf8) + [UInt8]("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    }
}

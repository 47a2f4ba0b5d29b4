import COpenSSL

/// What all TLS sessions of one kind share: versions, certificate or trust, protocol names. TLS 1.2 and 1.3 only.
///
/// `@unchecked`: guarded by construction. Nothing changes the SSL_CTX after init, and OpenSSL locks what its sessions
/// share in it (reference count, ticket keys).
package final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let role: Role

    enum Role {
        case server
        case client
    }

    /// A server with the certificate chain (leaf first) and the private key of two PEM files.
    ///
    /// Throws when a file cannot be read or the two do not belong together.
    package init(certificateChainPath: String, privateKeyPath: String) throws(TLSError) {
        role = .server
        pointer = try Self.make(TLS_server_method())
        try loadIdentity(certificateChainPath, privateKeyPath)
        // Tickets let clients resume; the server itself remembers no session.
        _ = SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_set_options(
            pointer, parley_no_renegotiation | parley_no_compression | parley_prefer_server_ciphers)
        SSL_CTX_set_alpn_select_cb(pointer, selectHTTP1, nil)
    }

    /// A client that trusts the authorities in a PEM file, or those of the system when the path is nil. The host name
    /// is checked by the session.
    package init(trustedAuthoritiesPath: String?) throws(TLSError) {
        role = .client
        pointer = try Self.make(TLS_client_method())
        OpenSSLError.clear()
        if let path = trustedAuthoritiesPath {
            guard SSL_CTX_load_verify_locations(pointer, path, nil) == 1 else {
                throw TLSError("Cannot read trusted certificates from \(path): \(OpenSSLError.takeReason()).")
            }
        } else {
            SSL_CTX_set_default_verify_paths(pointer)
        }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_alpn_protos(pointer, httpProtocolName, UInt32(httpProtocolName.count))
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    private static func make(_ method: OpaquePointer?) throws(TLSError) -> OpaquePointer {
        OpenSSLError.clear()
        guard let pointer = SSL_CTX_new(method) else {
            throw TLSError("TLS cannot start: \(OpenSSLError.takeReason()).")
        }
        _ = SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // Partial writes and moving buffers suit output queues; idle sessions give their 34 KiB of buffers back.
        let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        _ = SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(mode), nil)
        return pointer
    }

    private func loadIdentity(_ certificateChainPath: String, _ privateKeyPath: String) throws(TLSError) {
        // An encrypted key must fail, not ask on the terminal.
        SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, _ in 0 }
        OpenSSLError.clear()
        guard SSL_CTX_use_certificate_chain_file(pointer, certificateChainPath) == 1 else {
            throw TLSError(
                "Cannot read the certificate chain from \(certificateChainPath): \(OpenSSLError.takeReason()).")
        }
        guard SSL_CTX_use_PrivateKey_file(pointer, privateKeyPath, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(pointer) == 1
        else {
            throw TLSError(
                "Cannot use the private key in \(privateKeyPath) with the certificate in \(certificateChainPath): "
                    + "\(OpenSSLError.takeReason()).")
        }
    }
}

/// `http/1.1` with its length byte (RFC 7301, section 3.1).
private let httpProtocolName: [UInt8] = [8, 0x68, 0x74, 0x74, 0x70, 0x2F, 0x31, 0x2E, 0x31]

/// Picks `http/1.1` from what the client offers. A client that offers other protocols only is refused (RFC 7301,
/// section 3.2); one that offers none gets HTTP/1.1 anyway, because OpenSSL does not ask then.
private func selectHTTP1(
    _: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedSize: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredSize: UInt32,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let names = UnsafeBufferPointer(start: offered, count: Int(offeredSize))
    var start = 0
    while start < names.count {
        let end = start + 1 + Int(names[start])
        guard end <= names.count else { break }
        if names[start..<end].elementsEqual(httpProtocolName) {
            selected?.pointee = offered + start + 1
            selectedSize?.pointee = names[start]
            return SSL_TLSEXT_ERR_OK
        }
        start = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

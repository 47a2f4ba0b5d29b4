import COpenSSL

/// Keyed message authentication (RFC 2104).
package enum HMAC {
    // A context that knows its digest and no key. It is only ever copied, and a copy reads it and counts references
    // atomically, so all threads may share it; looking the names up takes longer than a short message.
    nonisolated(unsafe) private static let template = makeTemplate()

    /// HMAC-SHA256, 32 bytes. Any key length; compare results with `constantTimeEquals` only.
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let context = EVP_MAC_CTX_dup(template)
        defer { EVP_MAC_CTX_free(context) }
        // OpenSSL takes no empty key. Keys are padded with zero bytes to the block size, so one zero byte is the same.
        let padded = key.isEmpty ? [0] : key
        return [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            let done =
                EVP_MAC_init(context, padded, padded.count, nil) == 1
                && EVP_MAC_update(context, message, message.count) == 1
                && EVP_MAC_final(context, output.baseAddress, &count, output.count) == 1
            precondition(done && count == 32, "OpenSSL cannot compute an HMAC")
        }
    }

    fileprivate static func context() -> OpaquePointer? { EVP_MAC_CTX_dup(template) }

    private static func makeTemplate() -> OpaquePointer? {
        let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
        defer { EVP_MAC_free(algorithm) }
        let context = EVP_MAC_CTX_new(algorithm)
        var digest = [CChar]("SHA256".utf8CString)
        let isSet = "digest".withCString { name in
            digest.withUnsafeMutableBufferPointer { value in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, value.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_CTX_set_params(context, parameters) == 1
            }
        }
        precondition(isSet, "OpenSSL has no HMAC-SHA256")
        return context
    }
}

/// A key that signs many short messages: it is prepared once. Any thread.
package final class HMACKey: Sendable {
    // Holds the prepared key and is only ever copied, as the template above.
    nonisolated(unsafe) private let context: OpaquePointer?

    /// - Parameter key: not empty.
    package init(_ key: [UInt8]) {
        context = HMAC.context()
        precondition(EVP_MAC_init(context, key, key.count, nil) == 1, "OpenSSL cannot take a key")
    }

    deinit { EVP_MAC_CTX_free(context) }

    /// HMAC-SHA256 of the message, 32 bytes, as ``HMAC/sha256(_:key:)``.
    package func sha256(_ message: [UInt8]) -> [UInt8] {
        let copy = EVP_MAC_CTX_dup(context)
        defer { EVP_MAC_CTX_free(copy) }
        return [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            let done =
                EVP_MAC_update(copy, message, message.count) == 1
                && EVP_MAC_final(copy, output.baseAddress, &count, output.count) == 1
            precondition(done && count == 32, "OpenSSL cannot compute an HMAC")
        }
    }
}

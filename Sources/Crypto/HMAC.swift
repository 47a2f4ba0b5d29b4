import COpenSSL

/// Keyed message authentication (RFC 2104).
package enum HMAC {
    // Shared by all threads for the same reason as the algorithms of `Digest`.
    nonisolated(unsafe) private static let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)

    /// HMAC-SHA256, 32 bytes. Any key length; compare results with `constantTimeEquals` only.
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let context = EVP_MAC_CTX_new(algorithm)
        defer { EVP_MAC_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            let done =
                start(context, key: key) && EVP_MAC_update(context, message, message.count) == 1
                && EVP_MAC_final(context, output.baseAddress, &count, output.count) == 1
            precondition(done && count == 32, "OpenSSL cannot compute an HMAC")
        }
    }

    private static func start(_ context: OpaquePointer?, key: [UInt8]) -> Bool {
        var digest: [CChar] = [0x53, 0x48, 0x41, 0x32, 0x35, 0x36, 0]
        return digest.withUnsafeMutableBufferPointer { name in
            let parameters = [
                OSSL_PARAM_construct_utf8_string("digest", name.baseAddress, 0), OSSL_PARAM_construct_end(),
            ]
            // A null key would mean "the key of before", so an empty one still needs an address.
            return (key.isEmpty ? [0] : key).withUnsafeBufferPointer {
                EVP_MAC_init(context, $0.baseAddress, key.count, parameters) == 1
            }
        }
    }
}

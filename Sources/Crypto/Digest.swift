import COpenSSL

/// Message digests.
package enum Digest {
    // Fetched once: a fetch by name takes longer than the digest of a short message. OpenSSL counts references
    // atomically and never changes a fetched algorithm, so all threads may share it.
    nonisolated(unsafe) private static let sha256Algorithm = EVP_MD_fetch(nil, "SHA256", nil)
    nonisolated(unsafe) private static let sha1Algorithm = EVP_MD_fetch(nil, "SHA1", nil)

    /// SHA-256 (FIPS 180-4), 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        digest(bytes, sha256Algorithm, size: 32)
    }

    /// SHA-1 (FIPS 180-4), 20 bytes. For the WebSocket handshake (RFC 6455), where it protects nothing.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        digest(bytes, sha1Algorithm, size: 20)
    }

    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?, size: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let done = EVP_Digest(bytes, bytes.count, output.baseAddress, nil, algorithm, nil)
            precondition(done == 1, "OpenSSL cannot compute a digest")
            count = size
        }
    }
}

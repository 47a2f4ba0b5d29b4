import COpenSSL

/// Whether both are equal, in a time that depends on their lengths alone: for secrets and signatures.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

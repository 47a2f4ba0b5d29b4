import Bytes
import COpenSSL

/// Passwords at rest, by scrypt (RFC 7914). One hash takes about 70 ms of CPU and 16 MiB: never on an event loop.
package enum PasswordHash {
    private struct Cost: Equatable {
        var n: UInt64 = 16_384
        var r: UInt64 = 8
        var p: UInt64 = 1

        /// Stored hashes are ours, yet a tampered one must not take gigabytes.
        var isSane: Bool {
            n >= 2 && n <= 1 << 20 && n & (n - 1) == 0 && r >= 1 && r <= 32 && p >= 1 && p <= 16 && n * r <= 1 << 21
        }
    }

    private static let hashSize = 32

    /// `scrypt$N$r$p$salt$hash` with a fresh salt; salt and hash in URL base 64.
    package static func hash(_ password: String) -> String {
        let cost = Cost()
        let salt = SecureRandom.bytes(16)
        guard let key = derive(password, salt: salt, cost: cost) else {
            preconditionFailure("OpenSSL cannot compute scrypt")
        }
        return "scrypt$\(cost.n)$\(cost.r)$\(cost.p)$\(Base64.encodeURL(salt))$\(Base64.encodeURL(key))"
    }

    /// Whether `password` made `hash`. False too for a hash that is none of ours.
    package static func verify(_ password: String, _ hash: String) -> Bool {
        let parts = hash.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt",
            let n = UInt64(parts[1]), let r = UInt64(parts[2]), let p = UInt64(parts[3]),
            let salt = Base64.decodeURL(parts[4]), let expected = Base64.decodeURL(parts[5]),
            expected.count == hashSize
        else { return false }
        let cost = Cost(n: n, r: r, p: p)
        guard cost.isSane, let key = derive(password, salt: salt, cost: cost) else { return false }
        return constantTimeEquals(key, expected)
    }

    private static func derive(_ password: String, salt: [UInt8], cost: Cost) -> [UInt8]? {
        let characters = [UInt8](password.utf8).map(CChar.init(bitPattern:))
        var key = [UInt8](repeating: 0, count: hashSize)
        let memory = 128 * cost.r * (cost.n + cost.p + 2) + 1 << 20
        OpenSSLError.clear()
        let done = EVP_PBE_scrypt(
            characters, characters.count, salt, salt.count, cost.n, cost.r, cost.p, memory, &key, key.count)
        OpenSSLError.clear()
        return done == 1 ? key : nil
    }
}

import Bytes
import COpenSSL
import Synchronization

/// Randomness that nobody can guess, from OpenSSL's generator. Any thread.
package enum SecureRandom {
    /// Without randomness there is nothing safe to do, so the process ends if the generator fails.
    package static func bytes(_ count: Int) -> [UInt8] {
        count <= fewBytes ? supply.withLock { $0.take(count) } : generated(count)
    }

    /// So many are taken out of a supply, because asking the generator costs more than what it gives.
    private static let fewBytes = 32
    private static let supply = Mutex(Supply())

    /// Random bytes that nobody has seen; each is given once and overwritten.
    private struct Supply {
        private static let size = 4096
        private var bytes: [UInt8] = []
        private var used = 0

        mutating func take(_ count: Int) -> [UInt8] {
            if bytes.count - used < count {
                bytes = SecureRandom.generated(Self.size)
                used = 0
            }
            let taken = Array(bytes[used..<(used + count)])
            for index in used..<(used + count) { bytes[index] = 0 }
            used += count
            return taken
        }
    }

    private static func generated(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            precondition(count <= Int(Int32.max), "too many random bytes at once")
            precondition(RAND_bytes(output.baseAddress, Int32(count)) == 1, "OpenSSL has no randomness")
            initialized = count
        }
    }

    /// `length` characters of A–Z and 0–9, each equally likely.
    package static func upperAlphanumeric(_ length: Int) -> String {
        let letters = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        // Of 256 values only the first 7 × 36 are used, or the first letters would be likelier.
        let usable = UInt8(256 / letters.count * letters.count)
        var text: [UInt8] = []
        text.reserveCapacity(length)
        while text.count < length {
            for byte in bytes(length - text.count) where byte < usable {
                text.append(letters[Int(byte) % letters.count])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `count` random bytes in URL base 64: 32 make 43 characters.
    package static func token(_ count: Int) -> String {
        Base64.encodeURL(bytes(count))
    }
}

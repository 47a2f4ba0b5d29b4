import Bytes
import Crypto

/// Ids that the server makes.
package enum Identifier {
    /// 24 hex digits, 48 bits of time before 48 random ones: ids made later sort later.
    package static func timeOrdered(at milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        for shift in stride(from: Int64(40), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: milliseconds >> shift))
        }
        return Hex.encode(bytes + SecureRandom.bytes(6))
    }

    /// As above; of ids made for the same moment, one with a higher place sorts later.
    package static func timeOrdered(at milliseconds: Int64, place: UInt8) -> String {
        var bytes: [UInt8] = []
        for shift in stride(from: Int64(40), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: milliseconds >> shift))
        }
        return Hex.encode(bytes + [place] + SecureRandom.bytes(5))
    }

    /// An id for something that becomes new again: another time before the rest of the former id.
    /// - Parameter former: a time-ordered id; nil for something new.
    package static func timeOrdered(at milliseconds: Int64, renewing former: String?) -> String {
        let id = timeOrdered(at: milliseconds)
        guard let former, time(of: former) != nil else { return id }
        return String(id.prefix(12) + former.suffix(12))
    }

    /// When a time-ordered id was made, milliseconds since 1970; nil when the text is no such id.
    package static func time(of id: String) -> Int64? {
        guard id.utf8.count == 24, let bytes = Hex.decode(id) else { return nil }
        return bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// An unguessable secret of 192 bits in URL characters: session tokens, edit keys.
    package static func secret() -> String { SecureRandom.token(24) }

    /// A new API key: capitals and digits, as suites look for them (contract: admin 1.1).
    package static func apiKey() -> String { SecureRandom.upperAlphanumeric(32) }

    /// A new key for the API alone: capitals and digits, 256 random bits.
    package static func apiToken() -> String { SecureRandom.upperAlphanumeric(50) }

    /// The id of a new guest; the prefix is part of the contract (1.6).
    package static func guest() -> String { guestPrefix + Hex.encode(SecureRandom.bytes(guestBytes)) }

    static let guestPrefix = "anon:"
    static let guestBytes = 12

    /// Whether the wire id is a guest's.
    package static func isGuest(_ id: String) -> Bool { id.utf8.starts(with: guestPrefix.utf8) }

    /// How a secret is kept: SHA-256, hex.
    package static func hash(ofSecret secret: String) -> String { Hex.encode(Digest.sha256(Array(secret.utf8))) }

    /// Whether this may name a tenant: `A–Z a–z 0–9 - _`, 1 to 64 characters.
    package static func isTenantID(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                ASCII.isLetterOrDigit(byte) || byte == ASCII.hyphen || byte == ASCII.underscore
            }
    }
}

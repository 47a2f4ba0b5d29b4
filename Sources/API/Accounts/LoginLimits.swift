import Domain
import Synchronization

/// Slows down whoever guesses passwords. In memory: a restart forgives.
final class LoginLimits: Sendable {
    /// Attempts within a quarter of an hour.
    static let perAccountAndAddress = 10
    static let perAccount = 100
    static let perAddress = 50
    private static let window: Int64 = 15 * 60 * 1000

    // Guards the attempts, which offload threads count.
    private let attempts = Mutex(RateWindow(limit: perAccountAndAddress, milliseconds: window))

    /// Counts an attempt.
    /// - Throws: `rate-limited` (429).
    func admit(_ email: String, from address: String, at now: Int64) throws(APIError) {
        let keys = [
            ("both \(email) \(address)", Self.perAccountAndAddress), ("account \(email)", Self.perAccount),
            ("address \(address)", Self.perAddress),
        ]
        let wait = attempts.withLock { attempts -> Int64? in
            if let wait = keys.compactMap({ attempts.wait($0.0, at: now, limit: $0.1) }).max() { return wait }
            for (key, _) in keys { attempts.note(key, at: now) }
            return nil
        }
        guard let wait else { return }
        let seconds = Int((wait + 999) / 1000)
        var error = APIError(
            429, "rate-limited", "Too many attempts to sign in. Try again in \(seconds) seconds.", phrase: .rateLimited)
        error.retryAfter = seconds
        throw error
    }

    /// Whoever knew the password is not counted.
    func forgive(_ email: String, from address: String) {
        attempts.withLock { attempts in
            for key in ["both \(email) \(address)", "account \(email)"] { attempts.forget(key) }
        }
    }
}

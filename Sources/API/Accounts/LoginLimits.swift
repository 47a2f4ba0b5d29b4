import Domain
import Synchronization

/// Slows down whoever guesses passwords. In memory: a restart forgives. Guesses from many addresses make an account slow,
/// for addresses from which it was never signed in to, and do not lock it.
final class LoginLimits: Sendable {
    /// Attempts within a quarter of an hour.
    static let perAccountAndAddress = 10
    static let perAccount = 100
    static let perAddress = 50
    private static let window: Int64 = 15 * 60 * 1000
    /// Between two attempts at an account with more than that, milliseconds.
    static let pace: Int64 = 10_000

    private struct Windows {
        var attempts = RateWindow(limit: perAccountAndAddress, milliseconds: window)
        var slowed = RateWindow(limit: 1, milliseconds: pace)
    }

    // Guards the attempts, which offload threads count.
    private let windows = Mutex(Windows())

    /// Counts an attempt.
    /// - Parameter isOwn: the account was signed in to from there.
    /// - Throws: `rate-limited` (429).
    func admit(_ email: String, from address: String, isOwn: Bool, at now: Int64) throws(APIError) {
        let keys = [("both \(email) \(address)", Self.perAccountAndAddress), ("address \(address)", Self.perAddress)]
        let account = "account \(email)"
        let wait = windows.withLock { windows -> Int64? in
            if let wait = keys.compactMap({ windows.attempts.wait($0.0, at: now, limit: $0.1) }).max() { return wait }
            if !isOwn, windows.attempts.wait(account, at: now, limit: Self.perAccount) != nil {
                if let wait = windows.slowed.wait(account, at: now) { return wait }
                windows.slowed.note(account, at: now)
            }
            for (key, _) in keys { windows.attempts.note(key, at: now) }
            // What the owner gets wrong makes nobody wait.
            if !isOwn { windows.attempts.note(account, at: now) }
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
        windows.withLock { windows in
            for key in ["both \(email) \(address)", "account \(email)"] { windows.attempts.forget(key) }
        }
    }
}

import Crypto
import Synchronization

/// Whom TLS believes. The authorities of the system are read with the first call that needs them: that takes long, and
/// many servers never call anybody.
final class Trust: Sendable {
    private let known: Mutex<TLSContext?>

    /// - Parameter path: PEM file of the authorities; nil for those of the system.
    /// - Throws: when the file cannot be read.
    init(path: String?) throws(TLSError) {
        known = Mutex(try path.map { path throws(TLSError) in try TLSContext(trustedAuthoritiesPath: path) })
    }

    /// On any thread that may wait.
    func context() throws(OutboundError) -> TLSContext {
        let result = known.withLock { known -> Result<TLSContext, TLSError> in
            if let known { return .success(known) }
            do throws(TLSError) {
                let made = try TLSContext(trustedAuthoritiesPath: nil)
                known = made
                return .success(made)
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let context): return context
        case .failure(let error): throw .insecure(error.reason)
        }
    }
}

import COpenSSL

/// OpenSSL's queue of errors, one per thread. What an earlier call left in it would be blamed on the next, so every call
/// that can fail is preceded by `clear`.
enum OpenSSLError {
    static func clear() {
        ERR_clear_error()
    }

    /// Empties the queue and returns what the innermost error says, for example `no start line`.
    static func takeReason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return "no reason given" }
        guard let text = ERR_reason_error_string(code) else { return "OpenSSL error \(code)" }
        return String(cString: text)
    }
}

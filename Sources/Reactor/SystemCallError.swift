import Glibc

/// A system call that failed for a reason the caller may meet in production.
package struct SystemCallError: Error, Equatable, CustomStringConvertible {
    /// The call's name, for example `epoll_create1`.
    package let call: String
    /// The `errno` it left.
    package let number: Int32

    /// Names the call and the `errno` it left.
    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// For example `bind: Address already in use`.
    package var description: String {
        // SAFETY: strerror_r fills the buffer with a terminated text that is read before the buffer goes.
        let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String? in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else { return nil }
            return String(cString: start)
        }
        return "\(call): \(reason ?? "error \(number)")"
    }
}

import CSQLite
import Glibc

/// The moment after which a connection's statements give up, looked at every thousand steps of SQLite's machine.
final class Budget {
    /// Nanoseconds of the monotonic clock; nil never ends.
    var deadline: Int64?

    /// Nanoseconds since some fixed moment.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Connection {
    /// Ends, with `.interrupted`, any statement still running so many milliseconds from now; nil lifts the limit.
    ///
    /// Looks at the clock between steps of SQLite only (https://sqlite.org/c3ref/progress_handler.html): time that the
    /// caller spends on a row counts, but cannot be cut short.
    package func setBudget(milliseconds: Int?) {
        let budget = handle.budget
        let isOn = budget.deadline != nil
        budget.deadline = milliseconds.map { Budget.now + Int64($0) * 1_000_000 }
        guard isOn != (milliseconds != nil) else { return }
        guard milliseconds != nil else {
            sqlite3_progress_handler(handle.pointer, 0, nil, nil)
            return
        }
        let context = Unmanaged.passUnretained(budget).toOpaque()
        sqlite3_progress_handler(
            handle.pointer, 1000,
            { context in
                guard let context else { return 0 }
                let budget = Unmanaged<Budget>.fromOpaque(context).takeUnretainedValue()
                guard let deadline = budget.deadline else { return 0 }
                return Budget.now >= deadline ? 1 : 0
            }, context)
    }
}

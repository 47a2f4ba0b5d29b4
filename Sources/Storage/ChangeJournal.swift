import SQLite
import Synchronization

/// What the commits of the writer reached, so that whoever keeps an answer can tell whether it is still true after
/// changes that have nothing to do with it. Commits of other programs reach everything. Usable on any thread.
package final class ChangeJournal: Sendable {
    /// Counts commits from the start of this process.
    package typealias Moment = Int64

    /// What an answer is about.
    package struct Subject: Sendable {
        let row: Int64
        let isKnown: Bool

        /// - Parameters:
        ///   - row: of a table whose changes reach by row.
        ///   - isKnown: it is for somebody who says who they are.
        package init(row: Int64, isKnown: Bool) {
            self.row = row
            self.isKnown = isKnown
        }
    }

    private struct State {
        /// Of the database after the last commit of the writer; nil when it cannot be told.
        var mark: ChangeMark?
        var now: Moment = 0
        var allChanged: Moment = 0
        var knownChanged: Moment = 0
        var rowsChanged: [Int64: Moment] = [:]

        /// Everything may have changed.
        mutating func forget() {
            now += 1
            mark = nil
            allChanged = now
            rowsChanged = [:]
        }
    }

    /// Rows remembered at most; past that all count as changed.
    static let rowLimit = 10_000

    // Guards the state: the writer tells, the loops ask.
    private let state = Mutex(State())

    /// The moment at which the database had this mark, if that was the writer's last commit.
    package func moment(at mark: ChangeMark) -> Moment? {
        state.withLock { $0.mark == mark ? $0.now : nil }
    }

    /// The moment at which the database had this mark, if nothing has reached the subject since an earlier one.
    package func moment(at mark: ChangeMark, unchangedSince then: Moment, _ subject: Subject) -> Moment? {
        state.withLock { state in
            guard state.mark == mark, state.allChanged <= then, !subject.isKnown || state.knownChanged <= then,
                state.rowsChanged[subject.row, default: 0] <= then
            else { return nil }
            return state.now
        }
    }

    /// The writer begins: what changed the mark since its last commit was somebody else.
    func begin(at mark: ChangeMark?) {
        state.withLock { state in
            guard mark == nil || state.mark != mark else { return }
            state.forget()
        }
    }

    /// The writer has committed.
    /// - Parameter mark: of the database before anybody else could commit; nil when that is not sure.
    func note(_ reach: CommitReach, _ mark: ChangeMark?) {
        state.withLock { state in
            guard let mark, !reach.isAll else {
                state.forget()
                state.mark = mark
                return
            }
            state.now += 1
            state.mark = mark
            if reach.isKnown { state.knownChanged = state.now }
            if state.rowsChanged.count + reach.rows.count > Self.rowLimit {
                state.rowsChanged = [:]
                state.allChanged = state.now
            }
            for row in reach.rows { state.rowsChanged[row] = state.now }
        }
    }
}

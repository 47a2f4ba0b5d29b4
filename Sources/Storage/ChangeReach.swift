import Glibc
import SQLite

/// Which kept answers a change of a row can make untrue.
package enum ChangeReach: Sendable {
    /// None.
    case none
    /// Those about this row.
    case row
    /// Those about a row that changes in the same unit of work; where none does, all.
    case anotherRow
    /// Those to somebody who is known.
    case known
    /// All.
    case all
}

/// What is known of a table.
package struct TableReach: Sendable {
    let table: StaticString
    /// Of a new row.
    let addition: ChangeReach
    /// Of every other change.
    let change: ChangeReach

    /// The same for all changes.
    package init(_ table: StaticString, _ reach: ChangeReach) {
        self.init(table, addition: reach, change: reach)
    }

    /// A table whose new rows are seen by fewer than its changes.
    package init(_ table: StaticString, addition: ChangeReach, change: ChangeReach) {
        self.table = table
        self.addition = addition
        self.change = change
    }

    fileprivate func isFor(_ name: UnsafePointer<CChar>) -> Bool {
        // A literal ends with a zero as well.
        memcmp(name, table.utf8Start, min(strlen(name), table.utf8CodeUnitCount) + 1) == 0
    }
}

/// Collects how far the changes of a transaction reach. Not Sendable: belongs to the writer's thread.
final class ChangeNotes: RowObserver {
    private let tables: [TableReach]
    private(set) var reach = CommitReach()
    private var rowsBefore = 0
    private var wantsRow = false

    /// - Parameter tables: those of which something is known, the busiest first; changes of others reach all.
    init(_ tables: [TableReach]) { self.tables = tables }

    func rowChanged(table: UnsafePointer<CChar>, isNew: Bool, id: Int64) {
        guard !reach.isAll else { return }
        guard let known = tables.first(where: { $0.isFor(table) }) else {
            reach.isAll = true
            return
        }
        switch isNew ? known.addition : known.change {
        case .none: return
        case .row: reach.rows.append(id)
        case .anotherRow: wantsRow = true
        case .known: reach.isKnown = true
        case .all: reach.isAll = true
        }
    }

    /// A unit of work is through.
    func endUnit() {
        if wantsRow, reach.rows.count == rowsBefore { reach.isAll = true }
        wantsRow = false
        rowsBefore = reach.rows.count
    }

    /// Begins anew.
    func take() -> CommitReach {
        defer {
            reach = CommitReach()
            rowsBefore = 0
            wantsRow = false
        }
        endUnit()
        return reach
    }
}

/// How far a commit reaches.
struct CommitReach: Sendable {
    var rows: [Int64] = []
    var isKnown = false
    var isAll = false
}

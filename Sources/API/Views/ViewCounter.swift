import Domain
import Storage
import Synchronization

/// Counts who has seen which comment (contract: live 2.3 `cvc`). Reads note views in memory; a thread of its own has them
/// counted every few seconds, so that a crowd costs a write now and then instead of one for each of its readers.
/// Usable on any thread.
///
/// A crash loses the views noted since the last flush, and nothing else.
package final class ViewCounter: Sendable {
    /// Between two flushes, milliseconds.
    package static let interval = 3000
    /// Views of single comments that may wait; more are not counted.
    static let capacity = 500_000
    /// Views that one unit of work counts.
    static let unitSize = 2000

    private struct View {
        let tenant: String
        let page: Int64
        let viewer: String
        let seqs: [Int64]
    }

    private struct Waiting {
        var views: [View] = []
        var count = 0
    }

    /// What only the thread that flushes needs.
    private struct Memory {
        var seen = SeenViews()
        var tidiedUpTo: Int64 = 0
    }

    // Guards what loops add and the flush takes.
    private let waiting = Mutex(Waiting())
    // Guards what flushes keep; held for whole flushes, which never meet but at the end.
    private let memory = Mutex(Memory())
    private let tokens: PresenceToken

    /// - Parameter tokens: by whose secret viewers are hashed.
    package init(tokens: PresenceToken) { self.tokens = tokens }

    /// Notes that somebody got these comments of a page.
    /// - Parameter viewer: wire id of a person or guest, else the address.
    func note(_ seqs: [Int64], page: Page, viewer: String) {
        guard !seqs.isEmpty else { return }
        waiting.withLock { waiting in
            guard waiting.count + seqs.count <= Self.capacity else { return }
            waiting.count += seqs.count
            waiting.views.append(View(tenant: page.tenant, page: page.id, viewer: viewer, seqs: seqs))
        }
    }

    /// Counts what was noted, and clears away a little of what is of no use any more. Waits for the writer: not for
    /// loops.
    package func flush(into store: Store) {
        let views = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.views
        }
        memory.withLock { memory in
            for unit in units(of: views, &memory.seen) {
                do {
                    try store.writer.perform { session throws(APIError) in try ViewSQL.count(unit, in: &session) }
                } catch {
                    // Not counted: they may be seen again.
                    memory.seen = SeenViews()
                }
            }
            tidy(&memory, store)
        }
    }

    /// Steps of clearing away after one flush.
    private static let tidySteps = 10

    private func units(of views: [View], _ seen: inout SeenViews) -> [[PageViews]] {
        var pages: [Int64: PageViews] = [:]
        var hashes: [String: Int64] = [:]
        for view in views {
            let name = "\(view.tenant) \(view.viewer)"
            let viewer = hashes[name] ?? hash(view.viewer, tenant: view.tenant)
            hashes[name] = viewer
            for seq in view.seqs where seen.insert(seq, viewer) {
                pages[view.page, default: PageViews(page: view.page)].viewers[seq, default: []].append(viewer)
            }
        }
        return PageViews.units(pages.values.sorted { $0.page < $1.page }, size: Self.unitSize)
    }

    private func hash(_ viewer: String, tenant: String) -> Int64 {
        let bytes = tokens.fingerprint(of: "view:\(viewer)", tenant: tenant)
        return Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Looks at the views of a few comments, and deletes some that are past their time or whose comment is gone.
    private func tidy(_ memory: inout Memory, _ store: Store) {
        do {
            for _ in 0..<Self.tidySteps {
                let cursor = memory.tidiedUpTo
                let found = try store.withSpareLane { lane throws(APIError) in
                    try lane.read(budgetMilliseconds: 1000) { session throws(APIError) in
                        try ViewSQL.useless(after: cursor, in: &session)
                    }
                }
                memory.tidiedUpTo = found.next
                guard let seq = found.seq else { return }
                try store.writer.perform { session throws(APIError) in
                    try ViewSQL.deleteUseless(seq, in: &session)
                }
            }
        } catch {
            // The next flush tries again.
        }
    }
}

/// The views that were counted last, so that those who come back soon cost no look-up. Keeps at least half of its
/// capacity, at most all of it.
struct SeenViews {
    private struct View: Hashable {
        let seq: Int64
        let viewer: Int64
    }

    private let capacity: Int
    private var young: Set<View> = []
    private var old: Set<View> = []

    init(capacity: Int = 200_000) { self.capacity = capacity }

    /// Whether this is not known to have been counted.
    mutating func insert(_ seq: Int64, _ viewer: Int64) -> Bool {
        let view = View(seq: seq, viewer: viewer)
        guard !young.contains(view) else { return false }
        let isNew = old.remove(view) == nil
        if young.count >= capacity / 2 {
            old = young
            young = []
        }
        young.insert(view)
        return isNew
    }
}

/// Views of comments of one page.
struct PageViews: Sendable {
    let page: Int64
    /// Hashes of viewers by comment.
    var viewers: [Int64: [Int64]] = [:]

    init(page: Int64) { self.page = page }

    /// Cut into units of at most `size` views, those of a page together where they fit.
    static func units(_ pages: [PageViews], size: Int) -> [[PageViews]] {
        var units: [[PageViews]] = []
        var unit: [PageViews] = []
        var room = size
        for page in pages {
            var part = PageViews(page: page.page)
            for (seq, viewers) in page.viewers.sorted(by: { $0.key < $1.key }) {
                var rest = viewers[...]
                while !rest.isEmpty {
                    if room == 0 {
                        if !part.viewers.isEmpty { unit.append(part) }
                        units.append(unit)
                        (unit, part, room) = ([], PageViews(page: page.page), size)
                    }
                    let taken = rest.prefix(room)
                    part.viewers[seq] = Array(taken)
                    room -= taken.count
                    rest = rest.dropFirst(taken.count)
                }
            }
            if !part.viewers.isEmpty { unit.append(part) }
        }
        if !unit.isEmpty { units.append(unit) }
        return units
    }
}

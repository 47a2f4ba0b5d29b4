import Domain
import Storage
import Synchronization

/// Keeps the order of threads that have not changed: a page's version, read in the same snapshot, says whether a kept
/// order is still true, so nothing has to be invalidated. Usable on any thread.
package final class ThreadCache: Sendable {
    private struct Key: Hashable {
        let page: Int64
        let direction: SortDirection
    }

    private struct Kept {
        let version: Int64
        let index: ThreadIndex
        var lastUsed: UInt64
    }

    private struct Shelf {
        var kept: [Key: Kept] = [:]
        var nodes = 0
        var uses: UInt64 = 0
    }

    // Guards the shelf, which all loops share; orders themselves are immutable.
    private let shelf = Mutex(Shelf())
    private let capacity: Int

    /// - Parameter capacity: nodes kept at most, over all pages; one takes about 100 bytes.
    package init(capacity: Int = 500_000) { self.capacity = capacity }

    /// The order of a page for a viewer.
    func index(
        of page: Page, viewer: ThreadViewer, direction: SortDirection, in session: inout Session
    ) throws(APIError) -> ThreadIndex {
        let key = Key(page: page.id, direction: direction)
        if let kept = take(key, version: page.version) {
            if viewer == .reader || !kept.index.hasHidden { return kept.index }
            return ThreadIndex(kept.index.nodes, viewer: viewer, direction: direction)
        }
        let nodes = try CommentSQL.nodes(ofPage: page.id, in: &session)
        let index = ThreadIndex(nodes, viewer: .reader, direction: direction)
        keep(Kept(version: page.version, index: index, lastUsed: 0), key)
        return viewer == .reader || !index.hasHidden ? index : ThreadIndex(nodes, viewer: viewer, direction: direction)
    }

    private func take(_ key: Key, version: Int64) -> Kept? {
        shelf.withLock { shelf in
            guard let kept = shelf.kept[key], kept.version == version else { return nil }
            shelf.uses += 1
            shelf.kept[key]?.lastUsed = shelf.uses
            return kept
        }
    }

    private func keep(_ kept: Kept, _ key: Key) {
        guard kept.index.nodes.count <= capacity else { return }
        shelf.withLock { shelf in
            shelf.uses += 1
            var kept = kept
            kept.lastUsed = shelf.uses
            shelf.nodes -= shelf.kept[key]?.index.nodes.count ?? 0
            shelf.kept[key] = kept
            // An empty thread takes room too.
            shelf.nodes += kept.index.nodes.count
            guard shelf.nodes > capacity || shelf.kept.count > capacity / 16 else { return }
            for (old, _) in shelf.kept.sorted(by: { $0.value.lastUsed < $1.value.lastUsed }).prefix(
                shelf.kept.count / 4 + 1)
            {
                shelf.nodes -= shelf.kept.removeValue(forKey: old)?.index.nodes.count ?? 0
            }
        }
    }
}

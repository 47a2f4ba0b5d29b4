import Domain
import Synchronization

/// Keeps the comments of answers as finished JSON, into which a viewer's marks are laid. A page's version, read in the
/// same snapshot, says whether they are still true. Usable on any thread.
package final class PageCache: Sendable {
    /// What decides which comments an answer holds, and how they are nested.
    struct Key: Hashable, Sendable {
        let page: Int64
        let shape: ListQuery.Shape
    }

    /// One answer's worth.
    struct Kept: Sendable {
        let version: Int64
        let viewVersion: Int64
        let settings: WidgetSettings
        let comments: RenderedComments
        let hasMore: Bool
        let pageNumber: Int
        let totals: CommentTotals
        /// Pending comments exist: readers may see different ones.
        let hasHidden: Bool
    }

    private struct Shelf {
        var kept: [Key: (page: Kept, lastUsed: UInt64)] = [:]
        var bytes = 0
        var uses: UInt64 = 0
    }

    /// Larger answers are not kept, bytes.
    private static let largest = 8 << 20

    // Guards the shelf, which all loops share; what is kept is immutable.
    private let shelf = Mutex(Shelf())
    private let capacity: Int

    /// - Parameter capacity: bytes of JSON kept at most.
    package init(capacity: Int = 32 << 20) { self.capacity = capacity }

    func find(_ key: Key, _ page: Page, settings: WidgetSettings) -> Kept? {
        shelf.withLock { shelf in
            guard let found = shelf.kept[key]?.page, found.version == page.version,
                found.viewVersion == page.viewVersion, found.settings == settings
            else { return nil }
            shelf.uses += 1
            shelf.kept[key]?.lastUsed = shelf.uses
            return found
        }
    }

    func keep(_ page: Kept, _ key: Key) {
        guard page.comments.json.count <= Self.largest else { return }
        shelf.withLock { shelf in
            shelf.uses += 1
            shelf.bytes += page.comments.json.count - (shelf.kept[key]?.page.comments.json.count ?? 0)
            shelf.kept[key] = (page, shelf.uses)
            guard shelf.bytes > capacity || shelf.kept.count > capacity / 1024 else { return }
            let oldest = shelf.kept.sorted { $0.value.lastUsed < $1.value.lastUsed }.prefix(shelf.kept.count / 4 + 1)
            for (key, entry) in oldest {
                shelf.bytes -= entry.page.comments.json.count
                shelf.kept[key] = nil
            }
        }
    }
}

/// How many comments a page has for a viewer.
struct CommentTotals: Sendable, Equatable {
    var all = 0
    var roots = 0
}

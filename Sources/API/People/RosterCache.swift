import Domain
import Storage
import Synchronization

/// Keeps sorted lists of people that are costly to make. Usable on any thread.
package final class RosterCache: Sendable {
    /// Whose list it is.
    enum Key: Hashable, Sendable {
        /// Who is in a crowded room.
        case online(RoomKey)
        /// Who wrote on a page, by the page's row id.
        case commenters(Int64)
    }

    struct Kept: Sendable {
        let list: PeopleList
        let format: CommenterName.Format
        /// The page's version; 0 for a room.
        let version: Int64
        /// Milliseconds since 1970.
        let madeAt: Int64

        fileprivate var count: Int { list.roster.entries.count }
    }

    private struct Shelf {
        var kept: [Key: (list: Kept, lastUsed: UInt64)] = [:]
        var refreshes: [Key: Int64] = [:]
        var entries = 0
        var uses: UInt64 = 0
    }

    /// One thread at a time makes a list anew, and is believed to be at it so long, milliseconds.
    private static let refreshTime: Int64 = 5000

    // Guards the shelf, which all loops share; lists are immutable.
    private let shelf = Mutex(Shelf())
    private let capacity: Int

    /// - Parameter capacity: people kept at most, over all lists; one takes about 200 bytes.
    package init(capacity: Int = 200_000) { self.capacity = capacity }

    func find(_ key: Key, format: CommenterName.Format) -> Kept? {
        shelf.withLock { shelf in
            guard let found = shelf.kept[key]?.list, found.format == format else { return nil }
            shelf.uses += 1
            shelf.kept[key]?.lastUsed = shelf.uses
            return found
        }
    }

    /// - Returns: whether nobody else is making this list.
    func beginRefresh(_ key: Key, at now: Int64) -> Bool {
        shelf.withLock { shelf in
            if let began = shelf.refreshes[key], now < began + Self.refreshTime { return false }
            shelf.refreshes[key] = now
            return true
        }
    }

    func keep(_ list: Kept, _ key: Key) {
        guard list.count <= capacity else { return }
        shelf.withLock { shelf in
            shelf.uses += 1
            shelf.entries += list.count - (shelf.kept[key]?.list.count ?? 0)
            shelf.kept[key] = (list, shelf.uses)
            shelf.refreshes[key] = nil
            // An empty list takes room too.
            guard shelf.entries > capacity || shelf.kept.count > capacity / 16 else { return }
            let oldest = shelf.kept.sorted { $0.value.lastUsed < $1.value.lastUsed }.prefix(shelf.kept.count / 4 + 1)
            for (key, entry) in oldest {
                shelf.entries -= entry.list.count
                shelf.kept[key] = nil
            }
        }
    }

    func forget(_ key: Key) {
        shelf.withLock { shelf in
            guard let removed = shelf.kept.removeValue(forKey: key) else { return }
            shelf.entries -= removed.list.count
        }
    }
}

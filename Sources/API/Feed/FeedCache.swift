import Domain
import Synchronization

/// Keeps the posts and the numbers of answers as finished JSON, the same for all viewers. A feed's version, read in the
/// same snapshot, says whether they are still true. Usable on any thread.
final class FeedCache: Sendable {
    /// What decides what an answer holds.
    struct Key: Hashable, Sendable {
        enum Subject: Hashable, Sendable {
            case page(after: String?, limit: Int, tags: Set<String>)
            case stats([String])
        }

        let feed: Int64
        let subject: Subject
    }

    /// One answer's worth.
    struct Kept: Sendable {
        let ids: [String]
        /// One value.
        let json: [UInt8]
    }

    private struct Entry {
        let version: Int64
        let settings: WidgetSettings
        let kept: Kept
    }

    private struct Shelf {
        var entries: [Key: Entry] = [:]
        var bytes = 0
    }

    // Guards the shelf, which all loops share; what is kept is immutable.
    private let shelf = Mutex(Shelf())
    private let capacity: Int

    /// - Parameter capacity: bytes kept at most. Past it all is forgotten: what is asked for is soon here again.
    init(capacity: Int = 16 << 20) { self.capacity = capacity }

    func find(_ key: Key, version: Int64, settings: WidgetSettings) -> Kept? {
        shelf.withLock { shelf in
            guard let entry = shelf.entries[key], entry.version == version, entry.settings.values == settings.values
            else { return nil }
            return entry.kept
        }
    }

    func keep(_ kept: Kept, _ key: Key, version: Int64, settings: WidgetSettings) {
        let size = Self.size(kept)
        guard size <= capacity / 4 else { return }
        shelf.withLock { shelf in
            if let old = shelf.entries[key] { shelf.bytes -= Self.size(old.kept) }
            if shelf.bytes + size > capacity { shelf = Shelf() }
            shelf.bytes += size
            shelf.entries[key] = Entry(version: version, settings: settings, kept: kept)
        }
    }

    /// With the key, which may name as many posts as the answer.
    private static func size(_ kept: Kept) -> Int { kept.json.count + 512 + 100 * kept.ids.count }
}

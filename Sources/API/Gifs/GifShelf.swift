import Synchronization

/// Keeps lists of GIFs for a while, so that the provider is not asked for every reader, and knows which large picture
/// belongs to a small one that was handed out. Usable on any thread.
final class GifShelf: Sendable {
    private struct Kept {
        let gifs: [Gif]
        let until: Int64
    }

    private struct Shelf {
        var lists: [GifQuery: Kept] = [:]
        var larges: [String: String] = [:]
        /// Addresses of small pictures as they were first handed out; `oldest` is the place of the next one to go.
        var order: [String] = []
        var oldest = 0
    }

    /// How long a list is kept, milliseconds.
    static let lifetime: Int64 = 10 * 60 * 1000

    // Guards the shelf, which all loops and the lane's threads share.
    private let shelf = Mutex(Shelf())
    private let listLimit: Int
    private let largeLimit: Int

    /// - Parameters:
    ///   - listLimit: lists kept at most.
    ///   - largeLimit: pictures remembered at most; more than all lists hold, because readers look at lists for long.
    init(listLimit: Int = 400, largeLimit: Int = 20_000) {
        self.listLimit = listLimit
        self.largeLimit = largeLimit
    }

    /// The list, unless it is too old.
    func find(_ query: GifQuery, at now: Int64) -> [Gif]? {
        shelf.withLock { shelf in
            guard let kept = shelf.lists[query], now < kept.until else { return nil }
            return kept.gifs
        }
    }

    /// The large picture that belongs to a small one.
    func large(of small: String) -> String? { shelf.withLock { $0.larges[small] } }

    func keep(_ entries: [GifEntry], _ query: GifQuery, at now: Int64) {
        shelf.withLock { shelf in
            if shelf.lists.count >= listLimit, shelf.lists[query] == nil { makeRoom(in: &shelf, at: now) }
            shelf.lists[query] = Kept(gifs: entries.map(\.small), until: now + Self.lifetime)
            for entry in entries { remember(entry, in: &shelf) }
        }
    }

    /// Drops what is too old, and else the oldest quarter.
    private func makeRoom(in shelf: inout Shelf, at now: Int64) {
        shelf.lists = shelf.lists.filter { now < $0.value.until }
        guard shelf.lists.count >= listLimit else { return }
        let oldest = shelf.lists.sorted { $0.value.until < $1.value.until }.prefix(listLimit / 4 + 1)
        for (query, _) in oldest { shelf.lists[query] = nil }
    }

    private func remember(_ entry: GifEntry, in shelf: inout Shelf) {
        guard shelf.larges.updateValue(entry.large, forKey: entry.small.source) == nil else { return }
        guard shelf.order.count == largeLimit else { return shelf.order.append(entry.small.source) }
        shelf.larges[shelf.order[shelf.oldest]] = nil
        shelf.order[shelf.oldest] = entry.small.source
        shelf.oldest = (shelf.oldest + 1) % largeLimit
    }
}

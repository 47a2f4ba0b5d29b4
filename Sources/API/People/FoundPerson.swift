import Domain
import JSON

/// Somebody whom a search found, as the tenant shows names (contract: public 12); closed key set.
struct FoundPerson: JSONWritable, Sendable {
    let id: String
    let username: String
    let displayName: String?
    let avatar: String?
    /// How well the name matches: 0 is best.
    let rank: Int

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("name", username)
            json.member("displayName", ifPresent: displayName)
            json.member("avatarSrc", orNull: avatar)
            json.member("type", "sso")
        }
    }
}

/// The best of the people whom a search comes by.
struct BestMatches {
    private struct Place: Comparable {
        let rank: Int
        /// Equal for all where they come in order already.
        let key: AlphabeticalKey

        static func < (left: Place, right: Place) -> Bool {
            left.rank == right.rank ? left.key < right.key : left.rank < right.rank
        }
    }

    private let limit: Int
    private let isAlphabetical: Bool
    private var found: [(place: Place, person: FoundPerson)] = []

    /// - Parameter isAlphabetical: equally good matches are put in order; else they stay in theirs.
    init(_ limit: Int, isAlphabetical: Bool) {
        self.limit = limit
        self.isAlphabetical = isAlphabetical
    }

    /// In order.
    var people: [FoundPerson] { found.map(\.person) }

    /// - Parameter person: asked for one that is among the best.
    mutating func add(rank: Int, shownName: String, _ person: () -> FoundPerson) {
        if found.count == limit, let last = found.last, rank > last.place.rank { return }
        let place = Place(rank: rank, key: isAlphabetical ? AlphabeticalKey(shownName) : AlphabeticalKey())
        let index = found.firstIndex { place < $0.place } ?? found.count
        guard index < limit else { return }
        if found.count == limit { found.removeLast() }
        found.insert((place, person()), at: index)
    }
}

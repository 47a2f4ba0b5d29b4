import Domain
import JSON

/// A list of people in the order of their names, which clients read in pages.
struct Roster: Sendable {
    /// People of one page (contract: live 4.4).
    static let pageSize = 50

    /// One of the people, without the picture.
    struct Entry: Sendable {
        let id: String
        /// Empty for a private profile.
        let name: String
        let isPrivate: Bool
        fileprivate let place: Place

        init(id: String, name: String, isPrivate: Bool) {
            self.id = id
            self.name = isPrivate ? "" : name
            self.isPrivate = isPrivate
            place = isPrivate ? Place(privateID: id) : Place(name: name, id: id)
        }

        /// Whether the person is shown as when the roster was made.
        func isStill(_ face: Face) -> Bool { id == face.id && name == face.name && isPrivate == face.isPrivate }
    }

    /// In order.
    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries.sorted { $0.place < $1.place } }

    /// The entries behind a cursor.
    func entries(after cursor: Cursor?) -> ArraySlice<Entry> {
        guard let cursor else { return entries[...] }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].place <= cursor.place { low = middle + 1 } else { high = middle }
        }
        return entries[low...]
    }

    /// By name, equal names by id, private profiles last and by id alone.
    fileprivate struct Place: Comparable {
        // One run of bytes, because thousands are sorted.
        private let bytes: [UInt8]

        init(name: String, id: String) { bytes = [0] + AlphabeticalKey(name).bytes + [0] + id.utf8 }

        init(privateID id: String) { bytes = [1] + id.utf8 }

        static func < (left: Place, right: Place) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    }

    /// After whom a page begins.
    struct Cursor: Sendable {
        /// Stands for every name of a private profile. No name has this character.
        static let privateName = "\u{2063}"

        fileprivate let place: Place

        /// - Throws: `invalid-input` (422) for half a cursor.
        init?(_ call: Call) throws(APIError) {
            switch (call.text("afterName"), call.text("afterUserId")) {
            case (nil, nil): return nil
            case (Self.privateName, let id?): place = Place(privateID: id)
            case (let name?, let id?): place = Place(name: name, id: id)
            default: throw APIError(422, "invalid-input", "afterName and afterUserId belong together.")
            }
        }
    }
}

extension Roster.Entry {
    /// The cursor behind this entry. It says no more than the entry does.
    func writeCursor(to json: inout JSONWriter) {
        json.member("nextAfterName", isPrivate ? Roster.Cursor.privateName : name)
        json.member("nextAfterUserId", id)
    }
}

import Server
import Storage

/// The sockets of one loop by room. Owned by the loop's thread.
package struct RoomTable {
    /// A socket as its room knows it.
    package struct Member {
        /// Wire id of the person or guest; nil when the token proved none.
        package let identity: String?
        /// Events up to this place of the log happened before the socket opened; they are read from the log.
        package let position: Int64
        /// Groups whose comments it hears; nil is all.
        package let groups: [String]?
        /// Hears what only moderators hear.
        package let isStaff: Bool

        /// Describes a socket.
        package init(identity: String?, isStaff: Bool, position: Int64, groups: [String]? = []) {
            self.identity = identity
            self.isStaff = isStaff
            self.groups = groups
            self.position = position
        }

        func sees(_ entry: LiveDelivery.Entry) -> Bool {
            guard entry.position > position else { return false }
            return entry.audience.includes(identity: identity, isStaff: isStaff, groups: groups)
        }
    }

    private final class Room {
        let key: RoomKey
        var sockets: [ConnectionID] = []
        var members: [Member] = []

        init(_ key: RoomKey) { self.key = key }
    }

    /// Where a socket is.
    private struct Place {
        let room: Room
        var index: UInt32
    }

    private var rooms: [RoomKey: Room] = [:]
    private var places: [ConnectionID: Place] = [:]

    /// No rooms.
    package init() {}

    /// Puts a socket into its room.
    package mutating func add(_ socket: ConnectionID, _ member: Member, to key: RoomKey) {
        let room = rooms[key] ?? Room(key)
        rooms[room.key] = room
        places[socket] = Place(room: room, index: UInt32(room.sockets.count))
        room.sockets.append(socket)
        room.members.append(member)
    }

    /// Takes a socket out of its room.
    /// - Returns: the room it was in, nil when it was in none.
    @discardableResult
    package mutating func remove(_ socket: ConnectionID) -> RoomKey? {
        guard let place = places.removeValue(forKey: socket) else { return nil }
        let room = place.room
        let (index, last) = (Int(place.index), room.sockets.count - 1)
        if index < last {
            room.sockets.swapAt(index, last)
            room.members.swapAt(index, last)
            places[room.sockets[index]]?.index = place.index
        }
        room.sockets.removeLast()
        room.members.removeLast()
        if room.sockets.isEmpty { rooms[room.key] = nil }
        return room.key
    }

    /// The room that a socket is in.
    package func room(of socket: ConnectionID) -> RoomKey? { places[socket]?.room.key }

    /// Whether any socket is in a room of the tenant.
    package func hasAny(of tenant: String) -> Bool { rooms.keys.contains { $0.tenant == tenant } }

    /// The sockets in rooms of the tenant.
    package func forEach(of tenant: String, _ body: (ConnectionID, Member) -> Void) {
        for room in rooms.values where room.key.tenant == tenant {
            for (index, socket) in room.sockets.enumerated() { body(socket, room.members[index]) }
        }
    }

    /// Queues the events to the sockets that may see them.
    package func deliver(_ delivery: LiveDelivery, send: (FrameBatch, ConnectionID) -> Void) {
        for part in delivery.parts {
            switch part.room.scope {
            case .page, .moderators:
                if let room = rooms[part.room] { Self.deliver(part, to: room, send: send) }
            case .person:
                for socket in part.sockets ?? [] where places[socket] != nil { send(part.batch, socket) }
            case .tenant:
                // Rare, so that no socket pays for a list of its tenant's sockets.
                for (key, room) in rooms where key.tenant == part.room.tenant && key.scope == .page {
                    Self.deliver(part, to: room, send: send)
                }
            }
        }
    }

    private static func deliver(
        _ part: LiveDelivery.RoomPart, to room: Room, send: (FrameBatch, ConnectionID) -> Void
    ) {
        for (place, member) in room.members.enumerated() {
            if !part.needsFilter, part.lowestPosition > member.position {
                send(part.batch, room.sockets[place])
                continue
            }
            let frames = part.entries.filter(member.sees).map(\.frame)
            if !frames.isEmpty { send(FrameBatch(frames), room.sockets[place]) }
        }
    }
}

extension Audience {
    /// Whether somebody belongs to this audience (contract: live 2.5).
    /// - Parameter groups: whose comments that somebody may see; nil is all.
    package func includes(identity: String?, isStaff: Bool, groups: [String]? = []) -> Bool {
        switch self {
        case .everyone: true
        case .author(let author): isStaff || identity == author
        case .moderators: isStaff
        case .others(let author): !isStaff && identity != author
        case .groups(let theirs, let author):
            isStaff || identity == author || groups.map { !Set($0).isDisjoint(with: theirs) } ?? true
        case .every(let parts): parts.allSatisfy { $0.includes(identity: identity, isStaff: isStaff, groups: groups) }
        case .only(let person): identity == person
        case .everyoneBut(let person): identity != person
        }
    }
}

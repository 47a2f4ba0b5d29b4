import Server
import Storage
import Synchronization
import WebSocket

/// Knows which loop needs what: every socket of every loop by room, who is present, and how far events were published.
/// Usable on any thread.
package final class Hub: Sendable {
    /// Sockets that one identity may have in one room.
    package static let socketsPerIdentity = 20
    /// From this many people on, a room is told and shown with some delay (contract: live 4.1, 4.3).
    package static let crowd = PresenceBook.crowd
    /// How often at most a loop looks for announcements that are due, milliseconds.
    package static let announcementInterval = PresenceBook.joinDelay

    /// Hands a delivery to a loop.
    package typealias Post = @Sendable (_ loop: Int, _ delivery: LiveDelivery) -> Void

    /// There are many of these, so what the sockets of a room have in common is kept with the room.
    private struct Socket {
        let room: Room
        /// The name of the holder; nil for none.
        let name: String?
        let position: Int64
        /// Counts the sockets as they open.
        let order: Int
        /// Milliseconds since 1970.
        let openedAt: Int64
        /// Whether the name was proven to be an identity.
        let isProven: Bool

        var identity: String? { isProven ? name : nil }
        var holder: Holder? { name.map { Holder(tenant: room.key.tenant, name: $0, isProven: isProven) } }
    }

    /// Guarded as the state that it is part of.
    private final class Room {
        let key: RoomKey
        var presence = PresenceBook()
        /// Another one after every coming and going, also when the room was empty meanwhile.
        var version = 0
        /// Sockets by loop.
        var loops: [Int: Int] = [:]

        init(_ key: RoomKey) { self.key = key }
    }

    /// Who holds sockets: whom a token proved, or the bearer of one that proved nobody.
    private struct Holder: Hashable {
        let tenant: String
        let name: String
        let isProven: Bool

        init(tenant: String, name: String, isProven: Bool) {
            self.tenant = tenant
            self.name = name
            self.isProven = isProven
        }

        /// Nil for the empty token, which anybody may send.
        init?(tenant: String, identity: String?, token: String) {
            guard identity != nil || !token.isEmpty else { return nil }
            self.init(tenant: tenant, name: identity ?? token, isProven: identity != nil)
        }
    }

    private struct State {
        var rooms: [RoomKey: Room] = [:]
        var sockets: [ConnectionID: Socket] = [:]
        var holders: [Holder: SocketSet] = [:]
        var socketsOpened = 0
        /// Counts comings and goings.
        var changes = 0
        /// Rooms with something to announce.
        var dueRooms: Set<RoomKey> = []
        /// Place in the log of the last event whose receivers were decided.
        var position: Int64
    }

    // Guards everything that more than one loop may change; held for look-ups only, never while sending.
    private let state: Mutex<State>
    /// Keeps announcements in their order on the way to the loops: somebody who is back must not be told gone last.
    private let announcing = Mutex(())
    private let post: Post

    /// - Parameter position: the end of the event log at start.
    package init(position: Int64, post: @escaping Post) {
        state = Mutex(State(position: position))
        self.post = post
    }

    /// How many sockets are open, and in how many rooms, at this moment.
    package var counts: (sockets: Int, rooms: Int) {
        state.withLock { state in (state.sockets.count, state.rooms.count { !$0.value.loops.isEmpty }) }
    }

    // MARK: Sockets

    /// A socket opened in a room.
    /// - Parameters:
    ///   - identity: what the token proved, nil for none.
    ///   - now: monotonic milliseconds.
    /// - Returns: the place in the log after which events are pushed to it.
    package func join(_ socket: ConnectionID, room: RoomKey, identity: String?, token: String, at now: Int64) -> Int64 {
        state.withLock { state in
            let position = state.position
            state.socketsOpened += 1
            let room = state.rooms[room] ?? Room(room)
            state.rooms[room.key] = room
            let holder = Holder(tenant: room.key.tenant, identity: identity, token: token)
            state.sockets[socket] = Socket(
                room: room, name: holder?.name, position: position, order: state.socketsOpened,
                openedAt: Clock.wallMilliseconds, isProven: identity != nil)
            room.loops[Int(socket.loop), default: 0] += 1
            if room.presence.join(identity, at: now) { Self.noteChange(of: room, &state) }
            if let holder {
                if state.holders[holder]?.insert(socket) == nil { state.holders[holder] = SocketSet(socket) }
            }
            state.dueRooms.insert(room.key)
            return position
        }
    }

    /// A socket closed.
    package func leave(_ socket: ConnectionID, at now: Int64) {
        state.withLock { state in
            guard let left = state.sockets.removeValue(forKey: socket) else { return }
            let room = left.room
            if room.presence.leave(left.identity, at: now) { Self.noteChange(of: room, &state) }
            if let holder = left.holder, state.holders[holder]?.remove(socket) == true { state.holders[holder] = nil }
            let rest = (room.loops[Int(socket.loop)] ?? 1) - 1
            room.loops[Int(socket.loop)] = rest > 0 ? rest : nil
            state.dueRooms.insert(room.key)
        }
    }

    private static func noteChange(of room: Room, _ state: inout State) {
        state.changes += 1
        room.version = state.changes
    }

    /// Which of the identities have a socket in the room.
    package func online(_ identities: [String], in room: RoomKey) -> [Bool] {
        state.withLock { state in
            let presence = state.rooms[room]?.presence
            return identities.map { presence?.isOnline($0) ?? false }
        }
    }

    /// Who is in a room at a moment.
    package struct Presence: Sendable {
        /// Differs after every coming and going; 0 for a room where nobody has been.
        package let version: Int
        /// Identities and sockets of whom nothing is known: the `sc` of frames.
        package let count: Int
        /// In no order; empty when they are still those of the version that was known.
        package let identities: [String]
    }

    /// Who is in the room.
    /// - Parameter known: a version whose identities need not be listed again.
    package func presence(in room: RoomKey, known: Int? = nil) -> Presence {
        state.withLock { state in
            guard let found = state.rooms[room] else { return Presence(version: 0, count: 0, identities: []) }
            let identities = found.version == known ? [] : found.presence.identities
            return Presence(version: found.version, count: found.presence.count, identities: identities)
        }
    }

    /// Identities and sockets of whom nothing is known in the room: the `sc` of frames.
    package func count(in room: RoomKey) -> Int { state.withLock { $0.rooms[room]?.presence.count ?? 0 } }

    /// Sockets that the identity has in the room.
    package func socketCount(of identity: String, in room: RoomKey) -> Int {
        state.withLock { $0.rooms[room]?.presence.sockets(of: identity) ?? 0 }
    }

    /// Whether the identity has any socket of the tenant.
    package func isConnected(_ identity: String, tenant: String) -> Bool {
        state.withLock { state in
            Holder(tenant: tenant, identity: identity, token: "").map { state.holders[$0] != nil } ?? false
        }
    }

    /// When the newest socket of the identity in the room opened, milliseconds since 1970; nil without one.
    package func openingTime(of identity: String, in room: RoomKey) -> Int64? {
        state.withLock { state in
            Self.sockets(of: identity, token: "", tenant: room.tenant, state)
                .filter { $0.room.key == room }.map(\.openedAt).max()
        }
    }

    /// The page that somebody's newest socket is on.
    package func room(of identity: String, tenant: String) -> RoomKey? {
        state.withLock { state in
            Self.sockets(of: identity, token: "", tenant: tenant, state)
                .filter { $0.room.key.scope == .page }.max { $0.order < $1.order }?.room.key
        }
    }

    /// Up to where the log must be read by a client whose socket is open: later events were pushed to it
    /// (contract: live 3.4). Nil when the client has no open socket in the room.
    /// - Parameter identity: what the token proved, nil for none.
    package func watermark(room: RoomKey, identity: String?, token: String) -> Int64? {
        state.withLock { state in
            Self.sockets(of: identity, token: token, tenant: room.tenant, state)
                .filter { $0.room.key == room }.map(\.position).max()
        }
    }

    private static func sockets(
        of identity: String?, token: String, tenant: String, _ state: borrowing State
    ) -> [Socket] {
        let holder = Holder(tenant: tenant, identity: identity, token: token)
        return (holder.flatMap { state.holders[$0] }?.all ?? []).compactMap { state.sockets[$0] }
    }

    /// Place in the log of the last event that was published.
    package var position: Int64 { state.withLock { $0.position } }

    /// Open sockets.
    package var socketCount: Int { state.withLock { $0.sockets.count } }

    // MARK: Events

    /// Sends committed events to all who are in their rooms.
    /// - Parameter release: run once every loop concerned has written its frames; at once when no loop is.
    package func publish(_ events: [CommittedEvent], release: @escaping @Sendable () -> Void) {
        guard !events.isEmpty else { return release() }
        let parts = Self.parts(events)
        let loops = state.withLock { state in
            if let last = events.last(where: \.isLogged) { state.position = max(state.position, last.position) }
            return Self.receivers(parts, state)
        }
        guard !loops.isEmpty else { return release() }
        let barrier = DeliveryBarrier(release: release)
        for (loop, parts) in loops { post(loop, LiveDelivery(parts: parts, barrier: barrier)) }
    }

    private static func parts(_ events: [CommittedEvent]) -> [LiveDelivery.RoomPart] {
        var order: [RoomKey] = []
        var entries: [RoomKey: [LiveDelivery.Entry]] = [:]
        for event in events {
            if entries[event.room] == nil { order.append(event.room) }
            let frame = SharedFrame(FrameEncoder.text(event.data))
            entries[event.room, default: []].append(
                .init(position: event.position, audience: event.audience, frame: frame))
        }
        return order.map { LiveDelivery.RoomPart(room: $0, entries: entries[$0] ?? []) }
    }

    private static func receivers(
        _ parts: [LiveDelivery.RoomPart], _ state: borrowing State
    ) -> [Int: [LiveDelivery.RoomPart]] {
        var loops: [Int: [LiveDelivery.RoomPart]] = [:]
        for part in parts {
            switch part.room.scope {
            case .page, .moderators:
                guard let room = state.rooms[part.room] else { continue }
                for loop in room.loops.keys { loops[loop, default: []].append(part) }
            case .person:
                let holder = Holder(tenant: part.room.tenant, identity: part.room.page, token: "")
                let sockets = Dictionary(grouping: holder.flatMap { state.holders[$0] }?.all ?? []) { Int($0.loop) }
                for (loop, own) in sockets { loops[loop, default: []].append(part.part(for: own)) }
            case .tenant:
                let rooms = state.rooms.lazy.filter { $0.key.tenant == part.room.tenant }
                for loop in Set(rooms.flatMap(\.value.loops.keys)) { loops[loop, default: []].append(part) }
            }
        }
        return loops
    }

    // MARK: Presence

    /// Tells every room what is due there.
    /// - Returns: milliseconds until the next announcement is due; nil when none is.
    package func announcePresence(at now: Int64) -> Int64? {
        announcing.withLock { _ in
            let (announcements, next) = state.withLock { Self.takeAnnouncements(&$0, at: now) }
            for (room, announcement, loops) in announcements {
                let entries = PresenceEvent.frames(announcement).map { frame in
                    LiveDelivery.Entry(position: .max, audience: .everyone, frame: SharedFrame(frame))
                }
                let part = LiveDelivery.RoomPart(room: room, entries: entries)
                for loop in loops { post(loop, LiveDelivery(parts: [part], barrier: nil)) }
            }
            return next
        }
    }

    private static func takeAnnouncements(
        _ state: inout State, at now: Int64
    ) -> ([(RoomKey, PresenceBook.Announcement, [Int])], Int64?) {
        var announcements: [(RoomKey, PresenceBook.Announcement, [Int])] = []
        var next: Int64?
        for key in state.dueRooms {
            guard let room = state.rooms[key] else {
                state.dueRooms.remove(key)
                continue
            }
            if let announcement = room.presence.announce(at: now) {
                announcements.append((key, announcement, Array(room.loops.keys)))
            }
            if let due = room.presence.due {
                next = min(next ?? .max, due)
                continue
            }
            state.dueRooms.remove(key)
            if room.presence.isEmpty { state.rooms[key] = nil }
        }
        return (announcements, next.map { max(1, $0 - now) })
    }
}

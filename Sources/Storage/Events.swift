/// Who hears an event together: the sockets of a page, of a person, or of a tenant.
package struct RoomKey: Hashable, Sendable {
    /// What kind of room it is. Only events of pages are logged.
    package enum Scope: Sendable {
        case page
        case person
        case tenant
        case moderators
    }

    /// What kind of room it is.
    package let scope: Scope
    /// The tenant's id.
    package let tenant: String
    /// The canonical page id, or the wire id of a person or guest; empty for a tenant and its moderators.
    package let page: String

    /// Names the room of a page.
    package init(tenant: String, page: String) {
        scope = .page
        self.tenant = tenant
        self.page = page
    }

    /// Names all sockets of a person or guest, on whatever page they are.
    package init(tenant: String, person: String) {
        scope = .person
        self.tenant = tenant
        page = person
    }

    /// Names the sockets of those who moderate a tenant's comments, and no reader's.
    package init(moderatorsOf tenant: String) {
        scope = .moderators
        self.tenant = tenant
        page = ""
    }

    /// Names all sockets of a tenant that are on its pages.
    package init(tenant: String) {
        scope = .tenant
        self.tenant = tenant
        page = ""
    }
}

/// Who may hear an event.
package enum Audience: Sendable, Hashable {
    /// Everyone who may see the page.
    case everyone
    /// That identity, and moderators.
    case author(identity: String)
    /// Moderators only.
    case moderators
    /// Everyone who is neither that identity nor a moderator.
    case others(identity: String)
    /// Everyone who shares a group or is bound to none, that identity, and moderators.
    case groups([String], author: String)
    /// That identity alone.
    case only(identity: String)
    /// Everyone but that identity.
    case everyoneBut(identity: String)
    /// Whoever is in all of these, which are none of this kind.
    case every([Audience])

    /// The smallest audience that says that somebody is in all of these.
    package static func all(_ audiences: [Audience]) -> Audience {
        var parts: [Audience] = []
        for audience in audiences {
            for part in audience.parts where part != .everyone && !parts.contains(part) { parts.append(part) }
        }
        return parts.count > 1 ? .every(parts) : parts.first ?? .everyone
    }

    private var parts: [Audience] { if case .every(let parts) = self { parts } else { [self] } }
}

/// An event that a unit of work wants to announce when it commits.
package struct NewEvent {
    /// The event's id, made by the caller.
    package let id: String
    /// The id by which clients recognise the echo of their own action.
    package let broadcastID: String
    /// Who may hear it.
    package let audience: Audience
    /// Whether the event log keeps it for those who reconnect. What is for a person or a tenant is never kept.
    package let isLogged: Bool
    /// Makes the JSON object from its stamp (milliseconds since 1970). Called once, before `emit` returns.
    package let body: (_ stamp: Int64) -> [UInt8]

    /// Describes an event. `body` gives UTF-8 bytes of one JSON object.
    package init(
        id: String, broadcastID: String, audience: Audience = .everyone, isLogged: Bool = true,
        body: @escaping (_ stamp: Int64) -> [UInt8]
    ) {
        self.isLogged = isLogged
        self.id = id
        self.broadcastID = broadcastID
        self.audience = audience
        self.body = body
    }
}

/// An event whose unit of work is on the disk.
package struct CommittedEvent: Sendable, Equatable {
    /// The place of an event that is not in the log.
    package static let unlogged = Int64.max

    /// Its place among all logged events of the store; later commits have higher ones. ``unlogged`` without one.
    package let position: Int64
    /// The room that hears it.
    package let room: RoomKey
    /// Milliseconds since 1970; within a room each is at least 2 above the one before. A burst runs ahead of the clock.
    package let stamp: Int64
    /// When it was written by the wall clock, milliseconds since 1970.
    package let publishedAt: Int64
    /// Who may hear it.
    package let audience: Audience
    /// The id by which clients recognise the echo of their own action.
    package let broadcastID: String
    /// The event's id.
    package let id: String
    /// The UTF-8 bytes of its JSON object.
    package let data: [UInt8]

    /// Whether the event log has it.
    package var isLogged: Bool { position != Self.unlogged }

    /// Describes an event that is on the disk; also for tests of what follows a commit.
    package init(
        position: Int64, room: RoomKey, stamp: Int64, publishedAt: Int64, audience: Audience, broadcastID: String,
        id: String, data: [UInt8]
    ) {
        self.position = position
        self.room = room
        self.stamp = stamp
        self.publishedAt = publishedAt
        self.audience = audience
        self.broadcastID = broadcastID
        self.id = id
        self.data = data
    }
}

/// The audience as two columns: a kind and an identity ("" where the kind needs none).
extension Audience {
    /// The two columns.
    package var columns: (kind: Int64, identity: String) {
        switch self {
        case .everyone: (0, "")
        case .author(let identity): (1, identity)
        case .moderators: (2, "")
        case .others(let identity): (3, identity)
        case .groups(let groups, let author): (4, ([author] + groups).joined(separator: Self.separator))
        case .every(let parts):
            (
                5,
                parts.map(\.columns).map { "\($0.kind)\(Self.separator)\($0.identity)" }.joined(
                    separator: Self.partSeparator)
            )
        case .only(let identity): (6, identity)
        case .everyoneBut(let identity): (7, identity)
        }
    }

    /// Between the author and the groups; a group that holds one is two groups, which meet nobody else's.
    private static let separator = "\u{1F}"
    /// Between the parts of an audience; what holds one becomes parts that nobody is in but moderators.
    private static let partSeparator = "\u{1E}"

    /// A kind that this version does not know is for moderators only, the smallest circle.
    package init(kind: Int64, identity: String) {
        self =
            switch kind {
            case 0: .everyone
            case 1: .author(identity: identity)
            case 3: .others(identity: identity)
            case 4: Self.groups(identity)
            case 5: Self.every(identity)
            case 6: .only(identity: identity)
            case 7: .everyoneBut(identity: identity)
            default: .moderators
            }
    }

    private static func every(_ column: String) -> Audience {
        .all(
            column.split(separator: partSeparator, omittingEmptySubsequences: false).map { part in
                let pair = part.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
                guard pair.count == 2, let kind = Int64(pair[0]), kind < 5 else { return .moderators }
                return Audience(kind: kind, identity: String(pair[1]))
            })
    }

    private static func groups(_ column: String) -> Audience {
        let parts = column.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        return .groups(Array(parts.dropFirst()), author: parts.first ?? "")
    }
}

/// Who is in one room: identities with how many sockets each, and sockets of whom nothing is known. A value without
/// clock or sockets; times are monotonic milliseconds given by the caller.
struct PresenceBook {
    /// Joins wait this long, so that many become one frame (contract: live 4.3).
    static let joinDelay: Int64 = 250
    /// Somebody who is back within this time never left.
    static let leaveGrace: Int64 = 1000
    /// From this many on, frames carry the count only; who came and went is told when they are fewer, …
    static let crowd = 500
    /// … at most this often.
    static let crowdDelay: Int64 = 5000

    private struct Member {
        // In the order that takes the least room.
        var leavesAt: Int64?
        var isAnnounced = false
        var sockets: Int32 = 0
    }

    /// What readers of the room are told.
    struct Announcement: Equatable {
        var joined: [String] = []
        var left: [String] = []
        var count: Int
    }

    private var members: [String: Member] = [:]
    private var strangers = 0
    /// Members with a socket, kept so that asking for the count costs the same in any room.
    private var present = 0
    private var dueAt: Int64?
    private var lastAnnouncedAt: Int64?

    /// Identities present plus sockets without one.
    var count: Int { present + strangers }

    /// Whoever is present and known, in no order.
    var identities: [String] { members.compactMap { $0.value.sockets > 0 ? $0.key : nil } }

    /// Nobody is here, and nothing is left to say.
    var isEmpty: Bool { members.isEmpty && strangers == 0 }

    /// When the next announcement is due; nil when there is nothing to say.
    var due: Int64? { dueAt }

    func sockets(of identity: String) -> Int { Int(members[identity]?.sockets ?? 0) }

    func isOnline(_ identity: String) -> Bool { sockets(of: identity) > 0 }

    /// - Returns: whether somebody came who was not there.
    @discardableResult
    mutating func join(_ identity: String?, at now: Int64) -> Bool {
        schedule(now + Self.joinDelay)
        guard let identity else {
            strangers += 1
            return true
        }
        var member = members[identity] ?? Member()
        member.sockets += 1
        member.leavesAt = nil
        members[identity] = member
        guard member.sockets == 1 else { return false }
        present += 1
        return true
    }

    /// - Returns: whether somebody is gone now.
    @discardableResult
    mutating func leave(_ identity: String?, at now: Int64) -> Bool {
        guard let identity else {
            strangers -= 1
            schedule(now + Self.leaveGrace)
            return true
        }
        guard var member = members[identity] else { return false }
        schedule(now + Self.leaveGrace)
        member.sockets -= 1
        if member.sockets == 0 {
            member.leavesAt = now + Self.leaveGrace
            present -= 1
        }
        members[identity] = member
        return member.sockets == 0
    }

    /// What is to be told now; nil when nothing is due.
    mutating func announce(at now: Int64) -> Announcement? {
        guard let dueAt, dueAt <= now else { return nil }
        var announcement = Announcement(count: count)
        let isCrowd = announcement.count >= Self.crowd
        if isCrowd, let last = lastAnnouncedAt, now < last + Self.crowdDelay {
            self.dueAt = last + Self.crowdDelay
            return nil
        }
        self.dueAt = nil
        lastAnnouncedAt = now
        for (identity, member) in members {
            if let leavesAt = member.leavesAt {
                guard leavesAt <= now else {
                    self.dueAt = min(self.dueAt ?? .max, leavesAt)
                    continue
                }
                if member.isAnnounced {
                    // Told once it is quieter, so that nobody stays on the screens for ever.
                    if isCrowd { continue }
                    announcement.left.append(identity)
                }
                members[identity] = nil
            } else if !member.isAnnounced, !isCrowd {
                members[identity]?.isAnnounced = true
                announcement.joined.append(identity)
            }
        }
        announcement.joined.sort()
        announcement.left.sort()
        return announcement
    }

    private mutating func schedule(_ moment: Int64) { dueAt = min(dueAt ?? .max, moment) }
}

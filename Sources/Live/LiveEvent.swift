import Domain
import JSON
import Server
import Storage
import WebSocket

/// Words of `type` (contract: live 2.3).
package enum LiveEventType: String {
    case newComment = "new-comment"
    case updatedComment = "updated-comment"
    case deletedComment = "deleted-comment"
    case newVote = "new-vote"
    case deletedVote = "deleted-vote"
    case threadStateChange = "thread-state-change"
    case newConfig = "new-config"
    case notification
    case notificationUpdate = "notification-update"
    case newFeedPost = "new-feed-post"
    case updatedFeedPost = "updated-feed-post"
    case deletedFeedPost = "deleted-feed-post"
    case newFeedReact = "fr"
    case deletedFeedReact = "dfr"
    case viewCounts = "cvc"
    case pageReact = "page-react"
    case updateBadges = "update-badges"
    case newBadge = "new-badge"
    case removedBadge = "removed-badge"
    /// For moderators' own sockets only; no word of the contract.
    case moderation
}

/// An event on its way into the log: the envelope is written here, the rest by `body`.
package enum LiveEvent {
    /// Longest `broadcastId` that is echoed, in UTF-8 bytes.
    package static let maximumBroadcastLength = 128

    /// - Parameters:
    ///   - broadcastID: as the client sent it; nil makes one.
    ///   - isLogged: whether those who reconnect get it too.
    ///   - body: writes the members after the envelope.
    package static func make(
        _ type: LiveEventType, broadcastID: String?, audience: Audience = .everyone, isLogged: Bool = true,
        at now: Int64, body: @escaping (inout JSONWriter) -> Void
    ) -> NewEvent {
        let id = Identifier.timeOrdered(at: now)
        let broadcast = broadcastID ?? id
        return NewEvent(id: id, broadcastID: broadcast, audience: audience, isLogged: isLogged) { stamp in
            var json = JSONWriter(capacity: 1024, escapesPercent: true)
            json.object { json in
                json.key("type")
                json.string(type.rawValue)
                json.member("timestamp", stamp)
                json.member("broadcastId", broadcast)
                body(&json)
            }
            return json.bytes
        }
    }
}

extension LiveEvent {
    /// A `new-config` event for sockets whose settings changed (contract: live 2.3), which the log does not keep.
    /// - Parameter now: milliseconds since 1970.
    package static func settingsFrame(_ settings: JSONObject, at now: Int64) -> FrameBatch {
        let event = make(.newConfig, broadcastID: nil, at: now) { $0.member("config", JSONValue.object(settings)) }
        return FrameBatch([SharedFrame(FrameEncoder.text(event.body(now)))])
    }
}

/// The `p-u` event (contract: live 4.3): never logged, and without `timestamp`, so that it moves nobody's catch-up.
enum PresenceEvent {
    /// Leaves first and joins in a frame of their own: clients differ in which of the two they apply first.
    static func frames(_ announcement: PresenceBook.Announcement) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        if !announcement.left.isEmpty { frames.append(frame("ul", announcement.left, announcement.count)) }
        if !announcement.joined.isEmpty || frames.isEmpty {
            frames.append(frame("uj", announcement.joined, announcement.count))
        }
        return frames
    }

    private static func frame(_ key: String, _ identities: [String], _ count: Int) -> [UInt8] {
        let now = Clock.wallMilliseconds
        var json = JSONWriter(escapesPercent: true)
        json.object { json in
            json.member("type", "p-u")
            json.member("bId", Identifier.timeOrdered(at: now))
            json.member("ts", now)
            if !identities.isEmpty {
                json.key(key)
                json.beginArray()
                for identity in identities { json.string(identity) }
                json.endArray()
            }
            json.member("sc", count)
        }
        return FrameEncoder.text(json.bytes)
    }
}

import Domain

/// Reads what was announced: for clients that were away, and for whoever follows the whole store.
package enum EventLog {
    /// Events of one room in the order of their stamps.
    ///
    /// - Parameters:
    ///   - after: the stamp that the reader has seen; later ones are wanted.
    ///   - upTo: events published later than this are left out. The moment of publishing counts, because a burst's
    ///     stamps run ahead of the clock.
    ///   - maxPosition: events with a higher position are left out, for a reader that heard those on a socket.
    ///   - limit: events at most.
    ///   - maxBytes: bytes of JSON at most, except that one event is always given.
    package static func page(
        room: RoomKey, after stamp: Int64, upTo publishedAt: Int64, maxPosition: Int64? = nil, limit: Int = 2000,
        maxBytes: Int = 4 << 20, in session: inout Session
    ) throws(APIError) -> [CommittedEvent] {
        try collect(
            """
            SELECT position, tenant_id, room, stamp, published_at, audience, identity, broadcast_id, id, data
            FROM event_log
            WHERE tenant_id = ?1 AND stamp > ?2 AND published_at <= ?3 AND position <= ?4 AND room = ?6
            ORDER BY stamp
            LIMIT ?5
            """,
            [
                .text(room.tenant), .int(stamp), .int(publishedAt), .int(maxPosition ?? .max), .int(limit),
                .text(room.page),
            ],
            maxBytes, in: &session)
    }

    /// Events of all rooms of a tenant, as ``page(room:after:upTo:maxPosition:limit:maxBytes:in:)``. Reads the tenant's
    /// whole log and sorts it: not for every visitor.
    package static func tenant(
        _ tenant: String, after stamp: Int64, upTo publishedAt: Int64, maxPosition: Int64? = nil, limit: Int = 2000,
        maxBytes: Int = 4 << 20, in session: inout Session
    ) throws(APIError) -> [CommittedEvent] {
        try collect(
            """
            SELECT position, tenant_id, room, stamp, published_at, audience, identity, broadcast_id, id, data
            FROM event_log
            WHERE tenant_id = ?1 AND stamp > ?2 AND published_at <= ?3 AND position <= ?4
            ORDER BY stamp, position
            LIMIT ?5
            """,
            [.text(tenant), .int(stamp), .int(publishedAt), .int(maxPosition ?? .max), .int(limit)],
            maxBytes, in: &session)
    }

    /// The events of all rooms behind a place in the log, in the order of commits; a first part of them when they are
    /// many, and empty only when there are none.
    package static func after(
        _ position: Int64, limit: Int = 500, maxBytes: Int = 1 << 20, in session: inout Session
    ) throws(APIError) -> [CommittedEvent] {
        try collect(
            """
            SELECT position, tenant_id, room, stamp, published_at, audience, identity, broadcast_id, id, data
            FROM event_log WHERE position > ?1 ORDER BY position LIMIT ?2
            """,
            [.int(position), .int(limit)], maxBytes, in: &session)
    }

    /// The position of the newest event in the log; 0 if there is none.
    package static func lastPosition(in session: inout Session) throws(APIError) -> Int64 {
        try session.first("SELECT max(position) FROM event_log") { $0.int64(0) } ?? 0
    }

    private static func collect(
        _ sql: StaticString, _ values: [Value], _ maxBytes: Int, in session: inout Session
    ) throws(APIError) -> [CommittedEvent] {
        var events: [CommittedEvent] = []
        var bytes = 0
        try session.scan(sql, values) { row in
            let event = CommittedEvent(row)
            bytes += event.data.count
            guard bytes <= maxBytes || events.isEmpty else { return false }
            events.append(event)
            return true
        }
        return events
    }
}

extension CommittedEvent {
    fileprivate init(_ row: borrowing Row) {
        self.init(
            position: row.int64(0), room: RoomKey(tenant: row.text(1), page: row.text(2)), stamp: row.int64(3),
            publishedAt: row.int64(4), audience: Audience(kind: row.int64(5), identity: row.text(6)),
            broadcastID: row.text(7), id: row.text(8), data: row.blob(9))
    }
}

import Domain
import Storage
import Synchronization

/// A key that opens the server-to-server API and signs nothing, so a hash of it is enough to know it by.
package struct APIToken: Sendable {
    /// Names the key; it opens nothing.
    package let id: String
    /// Enough to tell keys apart, and no more.
    package let firstCharacters: String
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Milliseconds since 1970; nil is never.
    package let expiresAt: Int64?
    /// Whole days since 1970; nil is never.
    package let lastUsedDay: Int64?

    /// What a tenant in memory knows of a key.
    struct Known: Sendable {
        let id: String
        /// Milliseconds since 1970; `max` is never.
        let expiresAt: Int64
    }
}

/// Keys that open the server-to-server API, as rows.
package enum APITokenSQL {
    /// Makes a key of 256 random bits.
    /// - Returns: its id and the key itself, which is nowhere else.
    package static func make(for tenant: String, in session: inout Session) throws(APIError) -> (
        id: String, key: String
    ) {
        let (id, key) = (Identifier.timeOrdered(at: session.now), Identifier.apiToken())
        try session.run(
            """
            INSERT INTO api_token (id, tenant_id, key_hash, first_characters, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            .text(id), .text(tenant), .text(Identifier.hash(ofSecret: key)), .text(String(key.prefix(6))),
            .integer(session.now))
        return (id, key)
    }

    /// Those that are valid now, oldest first.
    package static func all(of tenant: String, in session: inout Session) throws(APIError) -> [APIToken] {
        try session.query(
            """
            SELECT id, first_characters, created_at, expires_at, last_used_day FROM api_token
            WHERE tenant_id = ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY created_at, id
            """,
            .text(tenant), .integer(session.now)
        ) { (row) throws(APIError) -> APIToken in
            APIToken(
                id: row.text(0), firstCharacters: row.text(1), createdAt: row.int64(2), expiresAt: row.int64OrNil(3),
                lastUsedDay: row.int64OrNil(4))
        }
    }

    /// Lets a key end at a moment, milliseconds since 1970, or earlier if it was to.
    /// - Returns: false when there is no valid key with this id.
    package static func end(
        _ id: String, of tenant: String, at moment: Int64, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.run(
            """
            UPDATE api_token SET expires_at = min(COALESCE(expires_at, ?3), ?3)
            WHERE tenant_id = ?1 AND id = ?2 AND (expires_at IS NULL OR expires_at > ?4)
            """,
            .text(tenant), .text(id), .integer(moment), .integer(session.now)) > 0
    }

    /// By their hashes.
    static func known(of tenant: String, in session: inout Session) throws(APIError) -> [String: APIToken.Known] {
        var known: [String: APIToken.Known] = [:]
        try session.forEach("SELECT key_hash, id, expires_at FROM api_token WHERE tenant_id = ?1", .text(tenant)) {
            (row) throws(APIError) in
            known[row.text(0)] = APIToken.Known(id: row.text(1), expiresAt: row.int64OrNil(2) ?? .max)
        }
        return known
    }
}

/// On which day each key was used last: noted in memory by whoever answers, written by the chores. Any thread.
package final class KeyUse: Sendable {
    private struct Days {
        var last: [String: Int64] = [:]
        var unwritten: [String: Int64] = [:]
    }

    // Guards the days, which all loops and the writer note.
    private let days = Mutex(Days())

    /// Nothing was used yet.
    package init() {}

    /// - Parameter now: milliseconds since 1970.
    func note(_ key: String, at now: Int64) {
        let day = now / 86_400_000
        days.withLock { days in
            guard days.last[key] != day else { return }
            days.last[key] = day
            days.unwritten[key] = day
        }
    }

    /// Writes what is new. A day that cannot be written is lost.
    package func flush(into store: Store) throws(APIError) {
        let unwritten = days.withLock { days in
            defer { days.unwritten = [:] }
            return days.unwritten
        }
        guard !unwritten.isEmpty else { return }
        try store.writer.perform { (session) throws(APIError) in
            for (key, day) in unwritten {
                try session.run("UPDATE api_token SET last_used_day = ?2 WHERE id = ?1", .text(key), .integer(day))
            }
        }
    }
}

import Domain

/// Facts that the server keeps about itself, for instance secrets it made when it first started.
package enum ServerState {
    /// The value kept under `key`.
    package static func value(for key: String, in session: inout Session) throws(APIError) -> String? {
        try session.first("SELECT value FROM server_state WHERE key = ?1", .text(key)) { $0.text(0) }
    }

    /// Keeps `value` under `key`, in place of what was there. Throws `needsWrite` on a read lane.
    package static func set(_ value: String, for key: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO server_state (key, value) VALUES (?1, ?2)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """,
            .text(key), .text(value))
    }
}

/// Whether the store takes writes.
package enum Health {
    /// As much as a long comment with its event takes, bytes: a full disk may still have room for a few.
    private static let probeSize = 64 * 1024

    /// Writes one row. A unit of work for the writer: its answer says that a commit reached the disk.
    package static func check(_ session: inout Session) throws(APIError) {
        let probe = String(session.now) + String(decoding: [UInt8](repeating: 32, count: probeSize), as: UTF8.self)
        try ServerState.set(probe, for: "health", in: &session)
    }
}

import Domain
import JSON
import Storage

/// What a change still has to do after its answer. It stands in the database, with how far it is.
struct LongTask: Sendable {
    enum Kind: String, Sendable {
        /// Comments of somebody who was banned go.
        case banSweep = "ban-sweep"
        /// What somebody wrote who was deleted goes for good, …
        case erasing
        /// … or leaves placeholders.
        case anonymising
        /// Comments get what their author is called now.
        case renaming
        /// Readers lose what stands below a comment, …
        case hiding
        /// … or get it.
        case showing
        /// What stands below a removed comment goes.
        case removing
        /// What went with a comment that was brought back comes back.
        case restoring
        /// Comments get the new address of their page.
        case addresses
        /// What a removed webhook was still to be told goes, and the webhook with the last of it.
        case webhookRemoval = "webhook-removal"
    }

    let id: Int64
    let tenant: String
    let kind: Kind
    /// Wire id of a person, number of a comment or of a page, or id of a webhook.
    let subject: String
    /// Number of the comment where the last unit ended.
    let place: Int64
    let detail: JSONObject

    /// The number of the comment that it is about.
    var comment: Int64 { Int64(subject) ?? 0 }

    /// Writes down what is to be done, in the unit that causes it.
    /// - Parameter services: nil on the thread of this work, which needs not be woken.
    static func begin(
        _ kind: Kind, _ subject: String, from place: Int64, _ detail: JSONObject = JSONObject(), tenant: String,
        _ services: Services?, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "INSERT INTO long_task (tenant_id, kind, subject, place, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
            .text(tenant), .text(kind.rawValue), .text(subject), .integer(place), .text(JSONText.object(detail)))
        services?.tasks.wake()
    }

    /// Whether something of this kind is still to be done.
    static func isOpen(
        _ kinds: [Kind], _ subject: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM long_task
            WHERE tenant_id = ?1 AND subject = ?2 AND kind IN (SELECT value FROM json_each(?3)) LIMIT 1
            """,
            .text(tenant), .text(subject), .list(kinds.map(\.rawValue))
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Nothing more of it is to be done.
    static func cancel(
        _ kind: Kind, _ subject: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "DELETE FROM long_task WHERE tenant_id = ?1 AND subject = ?2 AND kind = ?3", .text(tenant),
            .text(subject), .text(kind.rawValue))
    }

    // MARK: Going on

    /// The id of the one that is next: in the order in which they were asked for, those that failed last.
    static func next(in session: inout Session) throws(APIError) -> Int64? {
        try session.first("SELECT id FROM long_task ORDER BY failures, id LIMIT 1") {
            (row) throws(APIError) -> Int64 in row.int64(0)
        }
    }

    /// One that this version does not know is nil.
    static func find(_ id: Int64, in session: inout Session) throws(APIError) -> LongTask? {
        try session.first(
            "SELECT id, tenant_id, kind, subject, place, detail FROM long_task WHERE id = ?1", .integer(id)
        ) { (row) throws(APIError) -> LongTask? in
            guard let kind = Kind(rawValue: row.text(2)) else { return nil }
            return LongTask(
                id: row.int64(0), tenant: row.text(1), kind: kind, subject: row.text(3), place: row.int64(4),
                detail: (try? JSONValue.parse(row.text(5)))?.object ?? JSONObject())
        } ?? nil
    }

    /// Notes where the next unit begins; nil is the end.
    static func move(_ id: Int64, to place: Int64?, in session: inout Session) throws(APIError) {
        guard let place else { return try delete(id, in: &session) }
        try session.run("UPDATE long_task SET place = ?2 WHERE id = ?1", .integer(id), .integer(place))
    }

    private static func delete(_ id: Int64, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM long_task WHERE id = ?1", .integer(id))
    }

    /// Lets others go first.
    static func putBack(_ id: Int64, in session: inout Session) throws(APIError) {
        try session.run("UPDATE long_task SET failures = failures + 1 WHERE id = ?1", .integer(id))
    }
}

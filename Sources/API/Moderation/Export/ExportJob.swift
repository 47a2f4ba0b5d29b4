import Domain
import JSON
import Storage

/// A file of comments that an administrator asked for (contract: admin 6.1, 9).
struct ExportJob: Sendable {
    /// How far it is, in the words of the contract.
    enum State: String {
        case requested, running, success, failed, expired
    }

    /// How long a file is kept, milliseconds: ten days.
    static let lifetime: Int64 = 10 * 24 * 3600 * 1000
    /// How long it is told afterwards that there was one.
    static let remembrance: Int64 = 30 * 24 * 3600 * 1000
    /// Unfinished ones of a tenant.
    static let mostOpen = 5

    let id: String
    let tenant: String
    let createdAt: Int64
    let request: ExportRequest
    let state: State
    let recordCount: Int
    let file: String
    let byteCount: Int
    let place: ModerationQueue.Place?
    let expiresAt: Int64?

    fileprivate init(_ row: borrowing Row) {
        id = row.text(0)
        tenant = row.text(1)
        createdAt = row.int64(2)
        request = ExportRequest(row.text(3))
        state = State(rawValue: row.text(4)) ?? .failed
        recordCount = row.int(5)
        file = row.text(6)
        byteCount = row.int(7)
        if let date = row.int64OrNil(8), let seq = row.int64OrNil(9) {
            place = ModerationQueue.Place(createdAt: date, seq: seq)
        } else {
            place = nil
        }
        expiresAt = row.int64OrNil(10)
    }

    /// Whether its time is over.
    func isExpired(at now: Int64) -> Bool { state == .expired || expiresAt.map { $0 <= now } ?? false }
}

/// Which comments are asked for, as it was said, with what was looked up then.
struct ExportRequest: Sendable {
    let words: String
    let narrowed: String?
    let search: String?
    let addressHash: String?
    let oldestFirst: Bool

    init(words: String, narrowed: String?, search: String?, addressHash: String?, oldestFirst: Bool) {
        self.words = words
        self.narrowed = narrowed
        self.search = search
        self.addressHash = addressHash
        self.oldestFirst = oldestFirst
    }

    /// As it was kept.
    fileprivate init(_ text: String) {
        let object = (try? JSONValue.parse(text))?.object ?? JSONObject()
        words = object["words"]?.string ?? ""
        narrowed = object["narrowed"]?.string
        search = object["search"]?.string
        addressHash = object["addressHash"]?.string
        oldestFirst = object["oldestFirst"]?.bool ?? false
    }

    fileprivate var text: String {
        var object = JSONObject()
        object.append("words", .string(words))
        if let narrowed { object.append("narrowed", .string(narrowed)) }
        if let search { object.append("search", .string(search)) }
        if let addressHash { object.append("addressHash", .string(addressHash)) }
        object.append("oldestFirst", .bool(oldestFirst))
        return JSONText.object(object)
    }

    /// Nil for what is no filter.
    var filter: ModerationFilter? {
        guard var filter = ModerationFilter(words: words, narrowed: narrowed),
            let search = ModerationSearch(search ?? "")
        else { return nil }
        filter.search = search
        filter.addressHash = addressHash
        return filter
    }
}

/// Rows of exports.
package enum ExportSQL {
    /// - Returns: its id.
    static func insert(
        _ request: ExportRequest, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            """
            INSERT INTO export_job (id, tenant_id, created_at, request, state, file)
            VALUES (?1, ?2, ?3, ?4, 'requested', ?5)
            """,
            .text(id), .text(tenant), .integer(session.now), .text(request.text),
            .text(Identifier.secret() + ".csv"))
        return id
    }

    /// How many of a tenant are not made yet.
    static func countOpen(tenant: String, in session: inout Session) throws(APIError) -> Int {
        try session.first(
            "SELECT COUNT(*) FROM export_job WHERE tenant_id = ?1 AND state IN ('requested', 'running')",
            .text(tenant)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }

    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> ExportJob? {
        try session.first(
            """
            SELECT id, tenant_id, created_at, request, state, record_count, file, byte_count, place_date, place_seq,
                   expires_at
            FROM export_job WHERE id = ?1 AND tenant_id = ?2
            """,
            .text(id), .text(tenant)
        ) { (row) throws(APIError) -> ExportJob in ExportJob(row) }
    }

    static func find(file: String, in session: inout Session) throws(APIError) -> ExportJob? {
        try session.first(
            """
            SELECT id, tenant_id, created_at, request, state, record_count, file, byte_count, place_date, place_seq,
                   expires_at
            FROM export_job WHERE file = ?1
            """,
            .text(file)
        ) { (row) throws(APIError) -> ExportJob in ExportJob(row) }
    }

    /// The one that is to be made next.
    static func next(in session: inout Session) throws(APIError) -> ExportJob? {
        try session.first(
            """
            SELECT id, tenant_id, created_at, request, state, record_count, file, byte_count, place_date, place_seq,
                   expires_at
            FROM export_job INDEXED BY export_job_open WHERE state IN ('requested', 'running')
            ORDER BY created_at, id LIMIT 1
            """
        ) { (row) throws(APIError) -> ExportJob in ExportJob(row) }
    }

    /// Notes a part that is in the file.
    static func advance(
        _ job: ExportJob, by records: Int, bytes: Int, to place: ModerationQueue.Place?, isLast: Bool,
        in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            UPDATE export_job SET state = ?2, record_count = record_count + ?3, byte_count = byte_count + ?4,
                                  place_date = ?5, place_seq = ?6, expires_at = ?7
            WHERE id = ?1
            """,
            .text(job.id), .text(isLast ? ExportJob.State.success.rawValue : ExportJob.State.running.rawValue),
            .int(records), .int(bytes), .int(place?.createdAt), .int(place?.seq),
            isLast ? .integer(session.now + ExportJob.lifetime) : .null)
    }

    /// Gives one up.
    static func fail(_ job: ExportJob, in session: inout Session) throws(APIError) {
        try session.run(
            "UPDATE export_job SET state = 'failed', expires_at = ?2 WHERE id = ?1", .text(job.id),
            .integer(session.now + ExportJob.lifetime))
    }

    // MARK: Files

    /// Files that may be there. Any lane.
    package static func files(in session: inout Session) throws(APIError) -> Set<String> {
        Set(
            try session.query(
                "SELECT file FROM export_job WHERE state IN ('requested', 'running', 'success')"
            ) { (row) throws(APIError) -> String in row.text(0) })
    }

    /// Marks those whose time is over, and forgets what is long over.
    /// - Returns: their files.
    static func expire(in session: inout Session) throws(APIError) -> [String] {
        let files = try session.query(
            """
            UPDATE export_job SET state = 'expired' WHERE expires_at <= ?1 AND state = 'success' RETURNING file
            """,
            .integer(session.now)
        ) { (row) throws(APIError) -> String in row.text(0) }
        try session.run("DELETE FROM export_job WHERE expires_at <= ?1", .integer(session.now - ExportJob.remembrance))
        return files
    }

    static func hasExpired(in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM export_job WHERE expires_at <= ?1 AND (state = 'success' OR expires_at <= ?2)",
            .integer(session.now), .integer(session.now - ExportJob.remembrance)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}

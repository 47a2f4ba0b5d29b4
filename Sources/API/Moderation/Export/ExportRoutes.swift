import Domain
import HTTP1
import JSON
import Server
import Storage

/// Files of comments for administrators (contract: admin 6.1).
enum ExportRoutes {
    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/api/export"
        routes.moderation(.post, base, "postApiExport", write: start)
        routes.moderation(.get, base + "/status", "getApiExportStatus", read: status)
        routes.add(.get, "/exports/{name}", "readExport", allowsCrossOrigin: false, read: read)
    }

    private static func start(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try requireAdmin(visit)
        let filter = try QueueRoutes.filter(visit, in: &session)
        guard try ExportSQL.countOpen(tenant: visit.tenant.id, in: &session) < ExportJob.mostOpen else {
            var error = APIError(
                429, "rate-limited", "\(ExportJob.mostOpen) files are being made already.", phrase: .rateLimited)
            error.retryAfter = 60
            throw error
        }
        let call = visit.call
        let request = ExportRequest(
            words: call.text("filters") ?? call.text("filter") ?? "", narrowed: call.text("searchFilters"),
            search: call.text("text-search"), addressHash: filter.addressHash,
            oldestFirst: QueueRoutes.isOldestFirst(call))
        let id = try ExportSQL.insert(request, tenant: visit.tenant.id, in: &session)
        try visit.note(.read, "Export", "Comments were exported.", in: &session)
        call.services.exports.work.wake()
        return .json(Answer { $0.member("batchJobId", id) })
    }

    private static func status(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try requireAdmin(visit)
        let id = try visit.call.required("batchJobId")
        guard let job = try ExportSQL.find(id, tenant: visit.tenant.id, in: &session) else {
            throw APIError(404, "not-found", "There is no export with this id.")
        }
        let state = job.state == .success && job.isExpired(at: session.now) ? .expired : job.state
        let url = state == .success ? "\(visit.call.publicOrigin)/exports/\(job.file)" : nil
        return .json(
            Answer { json in
                json.member("jobStatus", state.rawValue)
                json.member("recordCount", job.recordCount)
                json.member("downloadUrl", ifPresent: url)
            })
    }

    private static func requireAdmin(_ visit: ModeratorVisit) throws(APIError) {
        guard visit.moderator.isAdmin else {
            throw APIError(403, "unauthorized", "Only administrators may export comments.", phrase: .notAllowed)
        }
    }

    /// A finished file, for whoever knows its name. A browser saves it and shows nothing of it.
    private static func read(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let folder = call.services.exports.folder
        guard let job = try ExportSQL.find(file: call.parameter("name"), in: &session), job.state == .success,
            !job.isExpired(at: session.now), folder.size(of: job.file) == job.byteCount
        else { throw APIError(404, "not-found", "There is no such file, or its time is over.") }
        let day = ISODate.format(milliseconds: job.createdAt).prefix(10)
        let headers: HeaderFields = [
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": "attachment; filename=\"comments-\(day).csv\"",
            "x-content-type-options": "nosniff", "cache-control": "private, no-store",
            "content-security-policy": "sandbox; default-src 'none'", "referrer-policy": "no-referrer",
        ]
        let pieces = FilePieces(path: folder.file(job.file), range: 0..<job.byteCount)
        return .response(
            Response(status: 200, headers: headers, body: .file(length: job.byteCount, next: pieces.next)))
    }
}

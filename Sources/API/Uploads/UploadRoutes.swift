import Domain
import HTTP1
import Server
import Storage

/// Images: taken in, and served (contract: public 16).
enum UploadRoutes {
    /// Largest file, bytes.
    static let fileBytes = 20 << 20
    /// What a form may need beside the file, bytes.
    private static let envelopeBytes = 64 << 10

    static func register(on routes: inout Routes) {
        routes.add(
            .post, "/upload-image/{tenantId}", "UploadImage", bodyLimit: fileBytes + envelopeBytes,
            work: .upload { (call, session) throws(APIError) -> UploadUnit in
                try uploadImage(try Visit(call, in: &session), &session)
            })
        routes.add(.get, "/uploads/{name}", "readUpload", read: read)
    }

    /// Who may do it is decided before the image is looked at.
    private static func uploadImage(_ visit: Visit, _ session: inout Session) throws(APIError) -> UploadUnit {
        let preset = try SizePreset(visit.call)
        let caller = try Caller.resolve(visit, in: &session)
        let urlID = try pageID(visit.call)
        var page: Page?
        if let urlID { page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session) }
        try caller.requireWriting(page)
        guard !visit.settings.disablesImages else {
            throw APIError(403, "not-allowed", "Images may not be uploaded here.", phrase: .notAllowed)
        }
        let admitPixels = try admitByRate(visit, caller, at: session.now)
        let upload = ImageUpload(
            visit: visit, preset: preset, ownerKey: caller.key, urlID: urlID, admitPixels: admitPixels)
        return { (library, patience) throws(APIError) -> StagedUpload in try upload.stage(library, patience) }
    }

    /// The page, if one is named. What clients send that know of none counts as none.
    private static func pageID(_ call: Call) throws(APIError) -> String? {
        guard let text = call.text("urlId"), !["null", "undefined"].contains(text) else { return nil }
        guard let page = PageIdentity.canonical(text) else {
            throw .invalidInput("The query parameter urlId names no page.")
        }
        return page
    }

    /// Counts the upload. Those who do not say who they are, are also held to what the returned function is told of
    /// pixels, once they are known.
    private static func admitByRate(
        _ visit: Visit, _ caller: Caller, at now: Int64
    ) throws(APIError) -> @Sendable (Int) throws(APIError) -> Void {
        let (limits, client) = (visit.call.services.limits, visit.call.clientAddress)
        let unlimited: @Sendable (Int) throws(APIError) -> Void = { _ in }
        guard !visit.tenant.isExemptFromLimits else { return unlimited }
        if let person = caller.person {
            try limits.admitUpload("\(visit.tenant.id) \(person.id)", limit: RateLimits.personUploads, at: now)
            return unlimited
        }
        guard !client.isLoopback else { return unlimited }
        try limits.admitUpload(client.key, limit: RateLimits.anonymousUploads, at: now)
        return { (pixels) throws(APIError) in try limits.admitPixels(pixels, of: client, at: now) }
    }
}

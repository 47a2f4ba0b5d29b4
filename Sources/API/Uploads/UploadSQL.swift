import Domain
import Storage

/// Rows of `upload`.
package enum UploadSQL {
    /// A file that is served.
    struct Row: Sendable {
        let name: String
        let mediaType: String
        let byteCount: Int
    }

    /// One more file of an upload. On the writer.
    static func insert(
        _ file: StoredImage, of upload: ImageUpload, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO upload (name, tenant_id, owner_key, url_id, media_type, byte_count, width, height, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            .text(file.name), .text(upload.visit.tenant.id), .text(upload.ownerKey), .text(upload.urlID),
            .text(file.mediaType), .int(file.byteCount), .int(file.width), .int(file.height), .integer(session.now))
    }

    static func find(_ name: String, in session: inout Session) throws(APIError) -> Row? {
        try session.first("SELECT media_type, byte_count FROM upload WHERE name = ?1", .text(name)) {
            (row) throws(APIError) -> Row in
            Row(name: name, mediaType: row.text(0), byteCount: row.int(1))
        }
    }

    /// The names of all files.
    package static func names(in session: inout Session) throws(APIError) -> Set<String> {
        Set(try session.query("SELECT name FROM upload") { (row) throws(APIError) -> String in row.text(0) })
    }
}

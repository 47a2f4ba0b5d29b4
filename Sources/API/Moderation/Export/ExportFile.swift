import Domain
import JSON
import Storage

/// Comments as a spreadsheet reads them (RFC 4180, UTF-8; columns of contract admin 9).
struct ExportFile: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Of the last comment.
    private(set) var lastPlace: ModerationQueue.Place?

    private static let columns = [
        "id", "parentId", "urlId", "url", "pageTitle", "userId", "commenterName", "commenterEmail", "comment",
        "commentHTML", "date", "approved", "reviewed", "isSpam", "verified", "votes", "votesUp", "votesDown",
        "flagCount", "locale", "domain", "avatarSrc", "externalId", "isPinned", "isLocked", "isDeleted",
    ]

    /// The first line.
    mutating func appendHead() { append(Self.columns) }

    /// Comments in the order of the numbers.
    mutating func append(_ seqs: [Int64], in session: inout Session) throws(APIError) {
        let details = try session.query(
            """
            SELECT d.seq, d.url_id, d.title, c.domain, c.external_id
            FROM json_each(?1) AS wanted JOIN comment_detail AS d ON d.seq = wanted.value
            JOIN comment AS c ON c.seq = d.seq
            """,
            .text(JSONText.numbers(seqs))
        ) { (row) throws(APIError) -> (Int64, Detail) in
            let detail = Detail(
                urlID: row.text(1), title: row.textOrNil(2), domain: row.textOrNil(3), externalID: row.textOrNil(4))
            return (row.int64(0), detail)
        }
        let bySeq = Dictionary(details) { first, _ in first }
        for record in try CommentSQL.records(seqs, in: &session) {
            append(Self.cells(record, bySeq[record.seq]))
            lastPlace = ModerationQueue.Place(createdAt: record.createdAt, seq: record.seq)
        }
    }

    /// What stands beside the record.
    private struct Detail: Sendable {
        let urlID: String
        let title: String?
        let domain: String?
        let externalID: String?
    }

    private static func cells(_ record: CommentRecord, _ detail: Detail?) -> [String] {
        [
            record.id, record.parentID ?? "", detail?.urlID ?? "", record.url, detail?.title ?? "",
            record.authorKey ?? "", record.name, record.email ?? "", record.source, record.html,
            ISODate.format(milliseconds: record.createdAt), String(record.isApproved),
            String(record.state.isReviewed), String(record.isSpam), String(record.isVerified), String(record.votes),
            String(record.votesUp), String(record.votesDown), String(record.flagCount), record.locale ?? "",
            detail?.domain ?? "", record.shownAvatar ?? "", detail?.externalID ?? "", String(record.pinnedAt > 0),
            String(record.isLocked), String(record.isDeleted),
        ]
    }

    private mutating func append(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(cell)
        }
        bytes += [0x0D, 0x0A]
    }

    private mutating func append(_ cell: String) {
        // Programs that open the file would take such a cell for a formula. A plain number is none.
        let mustGuard = cell.utf8.first.map(Self.formulaStarts.contains) ?? false && Int64(cell) == nil
        let text = mustGuard ? "'" + cell : cell
        guard text.utf8.contains(where: Self.needsQuotes) else {
            bytes += text.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A tabulator or an end of line before a sign is skipped by some programs.
    private static let formulaStarts: Set<UInt8> = Set("=+-@\t\r".utf8)

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
}

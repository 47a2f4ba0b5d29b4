import Domain
import JSON
import Storage

/// A comment as a site's backend reads it (contract: admin 3.1); closed key set.
struct BackendComment: JSONWritable, Sendable {
    let record: CommentRecord
    let details: CommentDetails
    /// What the person did to it for whom the backend asks; nil when it asks for nobody.
    var marks: ViewerMarks?

    init(_ record: CommentRecord, _ details: CommentDetails, marks: ViewerMarks? = nil) {
        self.record = record
        self.details = details
        self.marks = marks
    }

    init(_ record: CommentRecord, in session: inout Session) throws(APIError) {
        guard let details = try CommentDetails.load([record.seq], in: &session)[record.seq] else {
            throw .commentNotFound
        }
        self.init(record, details)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in writeMembers(to: &json) }
    }

    /// Everything but the braces and the children, so that a tree can be written without recursion.
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", record.id)
        json.member("urlId", details.urlID)
        json.member("urlIdRaw", ifPresent: details.rawURLID)
        json.member("pageTitle", orNull: details.pageTitle)
        json.member("domain", ifPresent: details.domain)
        record.writeSharedMembers(to: &json)
        record.writeInnerMembers(to: &json)
        json.member("commenterName", record.name)
        json.member("commenterEmail", orNull: record.email)
        json.member("commenterLink", orNull: record.link)
        json.key("date")
        json.int(record.createdAt)
        json.member("reviewed", record.state.isReviewed)
        json.member("aiDeterminedSpam", details.isAISpam)
        if let groups = record.moderationGroups { json.member("moderationGroupIds", groups) }
        if !record.badges.isEmpty { json.member("badges", record.badges) }
        writeLists(to: &json)
        details.writeMembers(to: &json)
        marks?.write(record.seq, author: record.authorKey, to: &json)
    }

    private func writeLists(to json: inout JSONWriter) {
        if let mentions = record.mentions {
            json.key("mentions")
            json.raw(mentions.utf8)
        }
        guard let hashTags = record.hashTags else { return }
        json.key("hashTags")
        json.raw(hashTags.utf8)
    }
}

/// What only a site's backend reads of a comment.
struct CommentDetails: Sendable {
    let urlID: String
    let pageTitle: String?
    /// The page's id as the backend wrote it.
    let rawURLID: String?
    let domain: String?
    let externalID: String?
    let externalParentID: String?
    let expireAt: Int64?
    let verifiedAt: Int64?
    let localDateString: String?
    let localDateHours: Int64?
    let meta: String?
    let productID: Int64?
    let isParentNotified: Bool?
    let isTenantNotified: Bool?
    let isAISpam: Bool

    private init(_ row: borrowing Row) {
        urlID = row.text(1)
        pageTitle = row.textOrNil(2)
        rawURLID = row.textOrNil(3)
        domain = row.textOrNil(4)
        externalID = row.textOrNil(5)
        externalParentID = row.textOrNil(6)
        expireAt = row.int64OrNil(7)
        verifiedAt = row.int64OrNil(8)
        localDateString = row.textOrNil(9)
        localDateHours = row.int64OrNil(10)
        meta = row.textOrNil(11)
        productID = row.int64OrNil(12)
        isParentNotified = row.boolOrNil(13)
        isTenantNotified = row.boolOrNil(14)
        isAISpam = row.bool(15)
    }

    /// By the comments' numbers.
    static func load(_ seqs: [Int64], in session: inout Session) throws(APIError) -> [Int64: CommentDetails] {
        var details: [Int64: CommentDetails] = [:]
        try session.forEach(
            """
            SELECT c.seq, p.url_id, p.title, c.url_id_raw, c.domain, c.external_id, c.external_parent_id, c.expire_at,
                   c.verified_at, c.local_date_string, c.local_date_hours, c.meta, c.product_id, c.is_parent_notified,
                   c.is_tenant_notified, c.is_ai_spam
            FROM json_each(?1) AS wanted JOIN comment AS c ON c.seq = wanted.value JOIN page AS p ON p.id = c.page_id
            """,
            .text(JSONText.numbers(seqs))
        ) { (row) throws(APIError) in details[row.int64(0)] = CommentDetails(row) }
        return details
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("externalId", ifPresent: externalID)
        json.member("externalParentId", orNull: externalParentID)
        write("expireAt", expireAt, to: &json)
        write("verifiedDate", verifiedAt, to: &json)
        json.member("localDateString", orNull: localDateString)
        json.key("localDateHours")
        if let localDateHours { json.int(localDateHours) } else { json.null() }
        json.key("meta")
        if let meta { json.raw(meta.utf8) } else { json.null() }
        json.member("fromProductId", ifPresent: productID)
        json.member("notificationSentForParent", ifPresent: isParentNotified)
        json.member("notificationSentForParentTenant", ifPresent: isTenantNotified)
    }

    private func write(_ name: StaticString, _ moment: Int64?, to json: inout JSONWriter) {
        json.key(name)
        if let moment { json.date(milliseconds: moment) } else { json.null() }
    }
}

/// Comments of an answer, as a list or as a tree (contract: admin 5.1).
struct BackendComments: JSONWritable, Sendable {
    let comments: [BackendComment]
    /// In writing order, each before its children; nil for a list.
    var branches: [Branch]?

    struct Branch: Sendable {
        let depth: Int
        let hasChildren: Bool
        /// The children are in the answer.
        let isExpanded: Bool
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            guard let branches else { return json.member("comments", comments) }
            json.key("comments")
            writeTree(branches, to: &json)
        }
    }

    private func writeTree(_ branches: [Branch], to json: inout JSONWriter) {
        json.beginArray()
        var open: [Bool] = []
        for (branch, comment) in zip(branches, comments) {
            close(&open, downTo: branch.depth, in: &json)
            json.beginObject()
            comment.writeMembers(to: &json)
            json.member("hasChildren", branch.hasChildren)
            if branch.isExpanded {
                json.key("children")
                json.beginArray()
            }
            open.append(branch.isExpanded)
        }
        close(&open, downTo: 0, in: &json)
        json.endArray()
    }

    private func close(_ open: inout [Bool], downTo depth: Int, in json: inout JSONWriter) {
        while open.count > depth {
            if open.removeLast() { json.endArray() }
            json.endObject()
        }
    }
}

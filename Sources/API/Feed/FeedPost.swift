import Domain
import JSON
import Storage

/// What a post says, as it is stored: plain text, safe HTML, and JSON texts; empty is none.
struct FeedContent: Sendable, Equatable {
    var title = ""
    var html = ""
    var media = ""
    var links = ""
    var tags = ""
    var meta = ""

    /// Something to look at.
    var isShowable: Bool { ![title, html, media, links].allSatisfy(\.isEmpty) }

    /// By which a repetition is recognised: tags and the site's own data do not count.
    var digest: String { Identifier.hash(ofSecret: [title, html, media, links].joined(separator: "\u{0}")) }

    /// - Throws: `missing-content` (422), `invalid-input` (400).
    func check() throws(APIError) {
        guard isShowable else {
            throw APIError(
                422, "missing-content", "A post needs a title, contentHTML, media or links.", phrase: .commentEmpty)
        }
        let size = [title, html, media, links, tags, meta].reduce(0) { $0 + $1.utf8.count }
        guard size <= FeedLimits.bytes else {
            throw .invalidInput("The post has \(size) bytes; at most \(FeedLimits.bytes) are allowed.")
        }
    }
}

/// A post as stored, joined with its author's present name and picture.
struct FeedPost: Sendable {
    let id: String
    let tenant: String
    let createdAt: Int64
    /// Wire id of its author.
    let authorKey: String?
    let content: FeedContent
    let weight: Double
    private let writtenName: String?
    private let hasGivenName: Bool
    // Of the author's row, where there is one.
    private let username: String?
    private let displayName: String?
    private let avatar: String?

    init(_ row: borrowing Row) {
        id = row.text(0)
        tenant = row.text(1)
        createdAt = row.int64(2)
        authorKey = row.textOrNil(3)
        writtenName = row.textOrNil(4)
        hasGivenName = row.bool(5)
        weight = row.double(6)
        content = FeedContent(
            title: row.text(7), html: row.text(8), media: row.text(9), links: row.text(10), tags: row.text(11),
            meta: row.text(12))
        username = row.textOrNil(13)
        displayName = row.textOrNil(14)
        avatar = row.textOrNil(15)
    }

    /// The name given with the post, else the author's present one, else the one the author had.
    private var name: String? {
        if hasGivenName { return writtenName }
        if let displayName, !displayName.isEmpty { return displayName }
        return username ?? writtenName
    }
}

extension FeedPost {
    /// The object of the contract (live 5.1); closed key set.
    /// - Parameter isLive: the date in whole seconds, as on the socket everywhere.
    func write(_ counts: FeedCounts, _ settings: WidgetSettings, isLive: Bool = false, to json: inout JSONWriter) {
        json.beginObject()
        json.member("_id", id)
        json.member("tenantId", tenant)
        json.key("createdAt")
        json.date(milliseconds: createdAt, wholeSeconds: isLive)
        if !content.title.isEmpty { json.member("title", content.title) }
        if !content.html.isEmpty { json.member("contentHTML", content.html) }
        json.member("fromUserId", ifPresent: authorKey)
        json.member(
            "fromUserDisplayName", orNull: name.map { CommenterName.formatted($0, as: settings.nameFormat) })
        json.member("fromUserAvatar", orNull: avatar)
        json.member("tags", rawIfPresent: content.tags)
        json.member("meta", rawIfPresent: content.meta)
        json.member("media", rawIfPresent: content.media)
        json.member("links", rawIfPresent: content.links)
        if weight != 0 {
            json.key("weight")
            json.double(weight)
        }
        counts.write(of: id, to: &json)
        json.endObject()
    }
}

extension JSONWriter {
    /// A member that is JSON already, left out when it is empty.
    fileprivate mutating func member(_ name: StaticString, rawIfPresent text: String) {
        guard !text.isEmpty else { return }
        key(name)
        raw(text.utf8)
    }
}

/// What people did to some posts.
struct FeedCounts: Sendable {
    private var reacts: [String: [(type: String, total: Int64)]] = [:]
    private var comments: [String: Int] = [:]

    /// A new post has none.
    init() {}

    static func load(
        _ ids: [String], _ tenant: Tenant, _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> FeedCounts {
        var counts = FeedCounts()
        guard !ids.isEmpty else { return counts }
        for (id, type, total) in try FeedReactSQL.totals(ids, in: &session) {
            counts.reacts[id, default: []].append((type, total))
        }
        counts.comments = try FeedCommentSQL.counts(ids, tenant, threads, in: &session)
        return counts
    }

    /// Two members of a post, or of its statistics.
    func write(of id: String, to json: inout JSONWriter) {
        json.key("reacts")
        json.beginObject()
        for (type, total) in reacts[id] ?? [] {
            json.key(type)
            json.int(total)
        }
        json.endObject()
        json.member("commentCount", comments[id] ?? 0)
    }
}

/// Comments on posts: each has a thread of its own (contract: live 5.5).
enum FeedCommentSQL {
    /// The page id of a post's thread.
    static func page(of post: String) -> String { "post:" + post }

    /// How many comments everybody sees, replies included; posts without any are left out.
    static func counts(
        _ ids: [String], _ tenant: Tenant, _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [String: Int] {
        let rows = try session.query(
            """
            SELECT wanted.value, count(*) - sum(c.is_deleted), sum(c.is_approved = 0 OR c.is_spam = 1)
            FROM json_each(?2) AS wanted
            JOIN page AS p ON p.tenant_id = ?1 AND p.url_id = 'post:' || wanted.value
            JOIN comment AS c ON c.page_id = p.id
            GROUP BY wanted.key
            """,
            .text(tenant.id), .list(ids)
        ) { (row) throws(APIError) -> (String, Int, Int) in (row.text(0), row.int(1), row.int(2)) }
        var counts: [String: Int] = [:]
        for (id, count, hidden) in rows {
            counts[id] = count
            // What stands below a hidden comment is hidden too, which only the thread itself knows.
            guard hidden > 0, let page = try PageSQL.find(page(of: id), tenant: tenant.id, in: &session) else {
                continue
            }
            let direction = tenant.settings.defaultDirection
            counts[id] = try threads.index(of: page, viewer: .reader, direction: direction, in: &session).totalCount
        }
        return counts
    }

    /// Nobody but administrators enters the thread of a deleted post, whether it was begun or not.
    static func hidePage(of post: String, tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO page (tenant_id, url_id, url, group_ids, version, created_at, updated_at)
            VALUES (?1, ?2, '', '[]', ?3, ?3, ?3)
            ON CONFLICT (tenant_id, url_id) DO UPDATE SET group_ids = '[]', version = page.version + 1
            """,
            .text(tenant), .text(page(of: post)), .integer(session.now))
    }
}

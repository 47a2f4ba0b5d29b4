import JSON
import TestSupport
import Testing

/// Badges that moderators give (contract: admin 6.7), and those of a site's backend (contract: admin 5.6).
@Suite struct BadgeTests {
    private let site: Site
    private let author: Reader
    private let admin: Reader
    private let id: String

    init() throws {
        site = try Site()
        author = try site.known(.author)
        admin = try site.known(.admin)
        id = try author.posted("Hello")
    }

    /// Makes a badge as the command does.
    private func make(
        _ id: String, enabled: Bool = true, type: Int = 14, threshold: Int = 0, page: String? = nil,
        replaces: String? = nil
    ) throws -> String {
        let key = "\(site.tenant.id)-\(id)"
        let text = { (value: String?) in value.map { "'\($0)'" } ?? "NULL" }
        try site.execute(
            """
            INSERT INTO badge (id, tenant_id, created_by, created_at, is_enabled, type, threshold, name, description,
                               label, url_id, replaces, background_color)
            VALUES ('\(key)', '\(site.tenant.id)', 'command', 1000, \(enabled ? 1 : 0), \(type), \(threshold), '\(id)',
                    'About \(id)', '\(id)', \(text(page)), \(text(replaces)), '#0a7')
            """)
        return key
    }

    private func award(_ badge: String?, _ query: QueryItems) throws -> Answer {
        try admin.moderating("PUT", "award-badge", ["badgeId": badge] + query)
    }

    private func remove(_ badge: String?, _ query: QueryItems) throws -> Answer {
        try admin.moderating("PUT", "remove-badge", ["badgeId": badge] + query)
    }

    private var ofAuthor: QueryItems { ["userId": site.wireID(.author)] }

    private func shown(on page: String = "page") throws -> [String] {
        let list = try site.reader(at: page).comments()["comments", 0, "badges"]?.array ?? []
        return list.compactMap { $0["displayLabel"]?.string }
    }

    // MARK: Moderators

    @Test func onlyModeratorsGiveBadges() throws {
        let badge = try make("helper")
        try site.refusesStrangers("PUT", "award-badge", ["badgeId": badge, "commentId": id])
        try site.refusesStrangers("PUT", "remove-badge", ["badgeId": badge, "commentId": id])
        try site.refusesStrangers("GET", "get-manual-badges")
        try site.refusesStrangers("GET", "get-manual-badges-for-user", ["commentId": id])
        let stranger = try Site().known(.admin)
        for path in ["award-badge", "remove-badge"] {
            let call = { (reader: Reader, query: QueryItems) in try reader.moderating("PUT", path, query) }
            try site.refuses(404, "not-found") { try call(stranger, ["badgeId": badge, "commentId": id]) }
            try site.refuses(404, "user-does-not-exist") { try call(stranger, ["badgeId": badge] + ofAuthor) }
            try site.refuses(422, "invalid-input") { try call(admin, ofAuthor) }
            try site.refuses(422, "invalid-input") { try call(admin, ["badgeId": badge]) }
            try site.refuses(404, "badge-not-found") { try call(admin, ["badgeId": "unknown"] + ofAuthor) }
            try site.refuses(404, "not-found") { try call(admin, ["badgeId": badge, "commentId": "unknown"]) }
            try site.refuses(404, "user-does-not-exist") { try call(admin, ["badgeId": badge, "userId": "nobody"]) }
        }
        let disabled = try make("old", enabled: false)
        let earned = try make("earned", type: 0)
        try site.refuses(404, "badge-not-found") { try award(disabled, ofAuthor) }
        try site.refuses(422, "invalid-input") { try award(earned, ofAuthor) }
        try site.refuses(422, "invalid-input") { try remove(badge, ofAuthor) }
        #expect(
            try site.takes { try admin.moderating("GET", "get-manual-badges") }["badges"]?.array?.compactMap {
                $0["_id"]?.string
            } == [badge])
    }

    @Test func aBadgeStandsWithCommentsUntilItIsTaken() throws {
        let (helper, friend) = (try make("helper"), try make("friend"))
        let given = try site.takes { try award(helper, ["commentId": id]) }
        #expect(given["badges", 0, "id"]?.string == helper && given["badges", 0, "type"] == 14)
        #expect(given["badges", 0, "description"] == "About helper" && given["badges", 0, "backgroundColor"] == "#0a7")
        #expect(given["notes"] == [])
        #expect(try shown() == ["helper"])
        let before = try site.rows()
        let again = try site.takes { try award(helper, ["userId": "author"]) }
        #expect(again["notes"]?.array?.count == 1 && again["badges"]?.array?.count == 1)
        #expect(try site.rows() == before)
        try site.takes { try award(friend, ofAuthor) }
        #expect(try shown() == ["helper", "friend"])
        let held = try site.takes {
            try admin.moderating("GET", "get-manual-badges-for-user", ["badgesUserId": site.wireID(.author)])
        }
        #expect(held["badges"]?.array?.compactMap { $0["badgeId"]?.string } == [helper, friend])
        #expect(held["badges", 0, "userId"]?.string == site.wireID(.author))
        let left = try site.takes { try remove(helper, ["commentId": id]) }
        #expect(left["badges"]?.array?.compactMap { $0["id"]?.string } == [friend])
        try site.refuses(422, "invalid-input") { try remove(helper, ["commentId": id]) }
        #expect(try shown() == ["friend"])
        #expect(try site.takes { try author.post("New") }["comment", "badges", 0, "displayLabel"] == "friend")
        let uses = try admin.moderating("GET", "get-manual-badges")["badges"]?.array?.map { $0["uses"]?.integer }
        #expect(uses == [1, 0], "friend comes before helper")
    }

    @Test func aGuestIsFoundByTheComment() throws {
        let open = try Site(["allowAnon": true])
        let guest = try open.takes { try open.reader().post("Hi") }["comment", "_id"]?.string ?? ""
        try open.execute(
            """
            INSERT INTO badge (id, tenant_id, created_by, created_at, type, name, description, label)
            VALUES ('\(open.tenant.id)-b', '\(open.tenant.id)', 'command', 1, 14, 'n', 'd', 'guest')
            """)
        let boss = try open.known(.admin)
        try open.takes {
            try boss.moderating("PUT", "award-badge", ["badgeId": "\(open.tenant.id)-b", "commentId": guest])
        }
        #expect(try open.reader().comments()["comments", 0, "badges", 0, "displayLabel"] == "guest")
        let held = try boss.moderating("GET", "get-manual-badges-for-user", ["commentId": guest])
        #expect(held["badges"]?.array?.count == 1)
    }

    @Test func aBadgeOfAPageIsShownThereOnlyAndOneMayReplaceAnother() throws {
        let old = try make("old")
        let new = try make("new", replaces: old)
        let local = try make("local", page: "other")
        _ = try site.reader(.author, at: "other").posted("There")
        for badge in [old, new, local] { try site.takes { try award(badge, ofAuthor) } }
        #expect(try shown() == ["new"])
        #expect(try shown(on: "other") == ["new", "local"])
        let hidden = try site.backend("GET", "user-badges", ["displayedOnComments": "false"])
        #expect(hidden["userBadges"]?.array?.compactMap { $0["badgeId"]?.string } == [old])
    }

    @Test func badgesAreEarned() throws {
        let two = try make("two", type: 0, threshold: 2)
        _ = try make("three", type: 0, threshold: 3)
        _ = try make("off", enabled: false, type: 0)
        let votes = try make("votes", type: 1)
        let guestbook = try make("guestbook", type: 13, page: "other")
        let held = { try site.backend("GET", "user-badges", ["userId": "author"])["userBadges"]?.array ?? [] }
        let ids = { try Set(held().compactMap { $0["badgeId"]?.string }) }
        _ = try author.posted("Second")
        try until { try ids() == [two] }
        try site.takes { try author.vote(id) }
        try site.takes { try site.known(.reader(1)).vote(id) }
        _ = try site.reader(.author, at: "other").posted("There")
        try until { try ids().isSuperset(of: [votes, guestbook]) }
        try site.takes { try author.delete(id) }
        #expect(try ids().contains(two), "what was earned stays")
    }

    @Test func fifteenBadgesAreShown() throws {
        for number in 1...16 { try site.takes { try award(make("badge\(number)"), ofAuthor) } }
        #expect(try shown() == (1...15).map { "badge\($0)" })
    }

    // MARK: Backends

    @Test func aBackendGivesShowsAndTakesBadges() throws {
        let badge = try make("earned", type: 3)
        let made = try site.takes {
            try site.backend("POST", "user-badges", body: ["userId": "author", "badgeId": .string(badge)])
        }
        let row = try #require(made["userBadge", "_id"]?.string)
        #expect(made["userBadge", "displayedOnComments"] == true && made["userBadge", "type"] == 3)
        #expect(made["userBadge", "fromTenantId"]?.string == site.tenant.id && made["notes"] == [])
        #expect(try shown() == ["earned"])
        let comments = try site.takes { try site.backend("GET", "comments", ["urlId": "page"]) }
        #expect(comments["comments", 0, "badges", 0, "id"]?.string == badge)
        let again = try site.takes {
            try site.backend("POST", "user-badges", body: ["userId": "author", "badgeId": .string(badge)])
        }
        #expect(again["userBadge", "_id"]?.string == row && again["notes"]?.array?.count == 1)
        try site.takes { try site.backend("PUT", "user-badges/\(row)", body: ["displayedOnComments": false]) }
        #expect(try shown() == [])
        #expect(try site.backend("GET", "user-badges/\(row)")["userBadge", "displayedOnComments"] == false)
        let lists: [(QueryItems, Int)] = [
            ([:], 1), (["userId": "author"], 1), (["userId": "nobody"], 0), (["badgeId": badge], 1), (["type": "3"], 1),
            (["type": "4.0"], 0), (["displayedOnComments": "true"], 0), (["limit": "1", "skip": "1"], 0),
        ]
        for (query, count) in lists {
            let list = try site.takes { try site.backend("GET", "user-badges", query) }
            #expect(list["userBadges"]?.array?.count == count, "\(query)")
        }
        try site.takes { try site.backend("DELETE", "user-badges/\(row)") }
        for method in ["GET", "DELETE"] {
            try site.refuses(404, "not-found") { try site.backend(method, "user-badges/\(row)") }
        }
        try site.refuses(404, "not-found") { try site.backend("PUT", "user-badges/\(row)", body: [:]) }
    }

    @Test func whatABackendSendsIsChecked() throws {
        let badge = try make("helper")
        let disabled = try make("old", enabled: false)
        let call = { (body: JSONValue) in try site.backend("POST", "user-badges", body: body) }
        try site.refuses(422, "missing-user-id") { try call(["badgeId": .string(badge)]) }
        try site.refuses(422, "missing-badge-id") { try call(["userId": "author"]) }
        try site.refuses(404, "badge-not-found") { try call(["userId": "author", "badgeId": .string(disabled)]) }
        try site.refuses(404, "badge-not-found") { try call(["userId": "author", "badgeId": "unknown"]) }
        try site.refuses(403, "unauthorized-user") { try call(["userId": "nobody", "badgeId": .string(badge)]) }
        try site.refuses(422, "invalid-input") { try call(["userId": 5, "badgeId": .string(badge)]) }
        try site.refuses(400, "malformed-json") { try site.backend("POST", "user-badges") }
        for (query, code) in [
            (["limit": "201"], "invalid-limit"), (["limit": "0"], "invalid-limit"), (["limit": "x"], "invalid-limit"),
            (["skip": "-1"], "invalid-skip"), (["type": "x"], "invalid-input"),
            (["displayedOnComments": "x"], "invalid-input"),
        ] as [(QueryItems, String)] {
            try site.refuses(422, code) { try site.backend("GET", "user-badges", query) }
        }
        try site.takes { try site.backend("GET", "user-badges", ["limit": "200"]) }
        let other = try Site()
        for (method, path) in [
            ("GET", "user-badges"), ("POST", "user-badges"), ("GET", "user-badges/x"), ("PUT", "user-badges/x"),
            ("DELETE", "user-badges/x"), ("GET", "user-badge-progress"), ("GET", "user-badge-progress/x"),
            ("GET", "user-badge-progress/user/x"),
        ] {
            try site.refuses(401, "invalid-api-key") { try site.backend(method, path, key: other.tenant.apiKey) }
            try site.refuses(401, "missing-api-key") { try site.backend(method, path, key: "") }
        }
    }

    @Test func progressIsWhatSomebodyDid() throws {
        let reader = try site.known(.reader(1))
        let answer = try reader.posted("Answer", replyingTo: id)
        _ = try author.posted("Quick", replyingTo: answer)
        try site.takes { try reader.vote(id) }
        try site.takes { try author.vote(id) }
        try site.takes { try admin.mark(id, "pin") }
        let progress = try site.takes { try site.backend("GET", "user-badge-progress/user/author") }
        let counts = try #require(progress["userBadgeProgress", "progress"])
        #expect(counts["0"] == 2 && counts["1"] == 1 && counts["2"] == 1 && counts["3"] == 1 && counts["6"] == 1)
        #expect(progress["userBadgeProgress", "firstCommentId"]?.string == id)
        // Two approved comments, one of them pinned.
        #expect(progress["userBadgeProgress", "autoTrustFactor"] == 7)
        let row = try #require(progress["userBadgeProgress", "_id"]?.string)
        let same = try site.takes { try site.backend("GET", "user-badge-progress/\(row)") }
        #expect(same["userBadgeProgress", "userId"]?.string == site.wireID(.author))
        let list = try site.takes { try site.backend("GET", "user-badge-progress") }
        #expect(
            list["userBadgeProgresses"]?.array?.compactMap { $0["userId"]?.string }
                == [site.wireID(.author), site.wireID(.reader(1))])
        let second = try site.takes { try site.backend("GET", "user-badge-progress", ["skip": "1", "limit": "1"]) }
        #expect(second["userBadgeProgresses", 0, "userId"]?.string == site.wireID(.reader(1)))
        #expect(
            try site.backend("GET", "user-badge-progress", ["userId": "author"])["userBadgeProgresses"]?.array?.count
                == 1)
        try site.refuses(404, "not-found") { try site.backend("GET", "user-badge-progress/user/admin") }
        try site.refuses(404, "not-found") { try site.backend("GET", "user-badge-progress/nobody") }
    }
}

import Foundation
import JSON
import TestSupport
import Testing

/// How moderators impose bans, look at them and take them back (contract: admin 6.6).
@Suite struct BanRouteTests {
    private let site: Site
    private let author: Reader
    private let admin: Reader

    init() throws {
        site = try Site()
        author = try site.known(.author)
        admin = try site.known(.admin)
    }

    private func id(_ answer: Answer) throws -> String {
        try #require(answer["changelog", "createdBannedUserId"]?.string, "\(answer.text)")
    }

    private func undo(_ changelog: JSONValue) throws -> Answer {
        try admin.moderating("POST", "ban-user/undo", body: ["changelog": changelog])
    }

    private func bans(of comment: String) throws -> [JSONValue] {
        let answer = try site.takes { try admin.moderating("GET", "ban-users/from-comment/\(comment)") }
        return try #require(answer["bannedUsers"]?.array)
    }

    private func preferences() throws -> JSONValue? {
        try site.takes { try admin.moderating("GET", "user-ban-preference") }["preferences"]
    }

    // MARK: Refusals

    @Test func onlyModeratorsBan() throws {
        let id = try author.posted("First")
        try site.refusesStrangers("POST", "ban-user/from-comment/\(id)", ["banEmail": "true"])
        try site.refusesStrangers("POST", "ban-user/undo", body: ["changelog": [:]])
        try site.refusesStrangers("GET", "ban-users/from-comment/\(id)")
        try site.refusesStrangers("GET", "get-comment-ban-status/\(id)")
        try site.refusesStrangers("GET", "user-ban-preference")
        try site.refusesStrangers("GET", "pre-ban-summary/\(id)")
        try site.refusesStrangers("POST", "bulk-pre-ban-summary", body: ["commentIds": []])
        let other = try Site()
        let stranger = try other.known(.admin)
        for path in ["ban-users/from-comment/", "get-comment-ban-status/", "pre-ban-summary/"] {
            try site.refuses(404, "not-found") { try stranger.moderating("GET", path + id) }
            try site.refuses(404, "not-found") { try admin.moderating("GET", path + "unknown") }
        }
        try site.refuses(404, "not-found") { try stranger.ban(id) }
        try site.refuses(404, "not-found") { try admin.ban("unknown") }
        #expect(try preferences() == .null)
    }

    @Test(
        arguments: [
            [:], ["banEmail": "false"], ["banEmail": "maybe"], ["banEmail": "true", "banIP": "x"],
            ["banEmail": "true", "bannedUntil": "tomorrow"], ["banEmail": "true", "bannedUntil": "one-hours"],
            ["banEmail": "true", "bannedUntil": "2020-01-01T00:00:00.000Z"],
            ["banEmail": "true", "isShadowBan": "2"], ["banEmail": "true", "deleteAllUsersComments": "all"],
            ["banEmail": "true", "banReason": String(repeating: "x", count: 1001)],
        ] as [QueryItems])
    func whatABanNeedsIsChecked(_ query: QueryItems) throws {
        let id = try author.posted("First")
        try site.refuses(422, "invalid-input") { try admin.ban(id, query) }
    }

    @Test func aReasonHasAThousandCharactersAtMost() throws {
        let id = try author.posted("First")
        let reason = String(repeating: "x", count: 1000)
        try site.takes { try admin.ban(id, ["banEmail": "true", "banReason": reason]) }
    }

    @Test func aReasonIsALineWithoutCharactersThatCannotBeSeen() throws {
        let id = try author.posted("First")
        let reason = " Two\r\nlines,\u{202E} a\u{0} tab\t\u{200B}\u{7} "
        try site.takes { try admin.ban(id, ["banEmail": "true", "banReason": reason]) }
        let refusal = try site.refuses(403, "banned") { try author.post("Again") }
        #expect(refusal["reason"]?.string?.hasSuffix("Reason: Two  lines, a  tab") == true, "\(refusal.text)")
        let other = try site.known(.reader(1)).posted("Second")
        try site.takes { try admin.ban(other, ["banEmail": "true", "banReason": "\u{202E}\u{200B}"]) }
        #expect(try site.count("ban WHERE tenant_id = '\(site.tenant.id)' AND reason IS NULL") == 1)
    }

    @Test func staffCannotBeBannedAndWhatIsUnknownNeither() throws {
        let mine = try admin.posted("Mine")
        try site.refuses(403, "unauthorized") { try admin.ban(mine) }
        let moderator = try site.known(.moderator)
        let theirs = try moderator.posted("Theirs")
        try site.refuses(403, "unauthorized") { try admin.ban(theirs) }
        try site.takes { try moderator.ban(author.posted("First")) }
        let invited = try site.known(.reader(7)).posted("Invited")
        try site.execute(
            """
            INSERT INTO moderator (id, tenant_id, user_id, has_accepted, created_at)
            VALUES ('\(site.tenant.id)-m', '\(site.tenant.id)', '\(site.wireID(.reader(7)))', 1, 1)
            """)
        try site.refuses(403, "unauthorized") { try admin.ban(invited) }
        let guests = try Site(["allowAnon": true])
        let guest = try guests.takes { try guests.reader().post("No address") }["comment", "_id"]?.string ?? ""
        let boss = try guests.known(.admin)
        try guests.refuses(422, "cannot-ban") { try boss.ban(guest, ["banEmailDomain": "true"]) }
        try guests.execute("UPDATE comment SET address_hash = NULL WHERE id = '\(guest)'")
        try guests.refuses(422, "cannot-ban") { try boss.ban(guest, ["banIP": "true"]) }
        let status = try guests.takes { try boss.moderating("GET", "get-comment-ban-status/\(guest)") }
        #expect(status["emailDomain"] == .null && status["canIPBan"] == false)
    }

    @Test func anAddressThatNobodySignedProtectsNobody() throws {
        let typed: JSONValue = ["commenterName": "Guest", "commenterEmail": "owner@fctest.com"]
        let guest = try site.takes { try site.reader().post("Typed", extras: typed) }
        let simple = try site.reader().signedOn(SSO.simple(Person("sam", email: "owner@fctest.com")))
        let claimed = try site.takes { try simple.post("Claimed") }
        for answer in [guest, claimed] {
            let id = try #require(answer["comment", "_id"]?.string)
            try site.takes { try admin.ban(id, ["banEmail": "true"]) }
        }
    }

    @Test func aBanCountsForItsModerator() throws {
        try site.execute(
            """
            INSERT INTO moderator (id, tenant_id, user_id, created_at)
            VALUES ('\(site.tenant.id)-m', '\(site.tenant.id)', '\(site.wireID(.admin))', 1)
            """)
        try site.takes { try admin.ban(author.posted("First"), ["banIP": "true", "deleteAllUsersComments": "true"]) }
        let row = "moderator WHERE tenant_id = '\(site.tenant.id)' AND banned_count = 1 AND deleted_count = 0"
        #expect(try site.count(row) == 1)
    }

    @Test func askingTwiceFindsTheCommentGone() throws {
        let id = try author.posted("First")
        try site.takes { try admin.ban(id) }
        try site.refuses(404, "not-found") { try admin.ban(id) }
    }

    // MARK: What is told

    @Test func aBanIsToldAsItIs() throws {
        let (first, second) = (try author.posted("First *words*"), try author.posted("Second"))
        let status = try site.takes { try admin.moderating("GET", "get-comment-ban-status/\(first)") }
        #expect(status["emailDomain"] == "@example.com" && status["canIPBan"] == true)
        let answer = try site.takes {
            try admin.ban(first, ["banEmail": "true", "banIP": "true", "bannedUntil": "one-week", "banReason": "Why"])
        }
        #expect(answer["changelog", "deletedBannedUsers"] == [])
        let ban = try #require(try bans(of: second).first)
        #expect(try ban["_id"]?.string == id(answer))
        #expect(ban["banType"] == "perma" && ban["hasEmailWildcard"] == false && ban["banReason"] == "Why")
        #expect(ban["userId"]?.string == site.wireID(.author) && ban["email"] == "author@example.com")
        let matches = ban["matches"]?.array ?? []
        #expect(matches.compactMap { $0["matchedOn"]?.string } == ["userId", "email", "IP"])
        #expect(matches.last?["matchedOnValue"] == ban["ipHash"])
        let days = (ban["bannedUntil"]?.string).flatMap(ISODate.parse).map { ($0 - SSO.now) / 3_600_000 }
        #expect(days == 167)
        #expect(
            try preferences() == [
                "shouldBanEmail": true, "shouldBanByIP": true, "lastBanType": "perma", "lastBanDuration": "one-week",
            ])
        try site.takes {
            try admin.ban(second, ["banEmailDomain": "true", "isShadowBan": "true", "bannedUntil": "2100-01-01"])
        }
        #expect(
            try preferences() == [
                "shouldBanEmail": false, "shouldBanByIP": false, "lastBanType": "perma-shadow",
                "lastBanDuration": "one-week",
            ])
        let moderator = try site.known(.moderator)
        #expect(try moderator.moderating("GET", "user-ban-preference")["preferences"] == .null)
    }

    @Test func aSummaryCountsWhatWouldGo() throws {
        let ids = try (1...3).map { try author.posted("Number \($0)") }
        let other = try site.known(.reader(1)).posted("Other")
        _ = try admin.posted("Staff is left out")
        _ = try site.known(Person("far", email: "far@elsewhere.org")).posted("Far")
        let summary = { (query: QueryItems) in
            try site.takes { try admin.moderating("GET", "pre-ban-summary/\(ids[0])", query) }
        }
        let none = try summary([:])
        #expect(none["usernames"] == [] && none["count"] == 0)
        let account = try summary(["includeByUserIdAndEmail": "true"])
        #expect(account["usernames"] == ["author"] && account["count"] == 3)
        let domain = try summary(["includeByEmailDomain": "true"])
        #expect(domain["usernames"] == ["author", "reader-1"] && domain["count"] == 4)
        #expect(try summary(["includeByIP": "true"])["count"] == 5)
        try site.refuses(422, "invalid-input") {
            try admin.moderating("GET", "pre-ban-summary/\(ids[0])", ["includeByIP": "x"])
        }
        let bulk = try site.takes {
            try admin.moderating(
                "POST", "bulk-pre-ban-summary",
                ["includeByUserIdAndEmail": "true", "includeByEmailDomain": "true", "includeByIP": "true"],
                body: ["commentIds": .array((ids + [other, "unknown"]).map { .string($0) })])
        }
        #expect(bulk["totalRelatedCommentCount"] == 5 && bulk["emailDomains"] == ["@example.com"])
        #expect(bulk["emails"] == ["author@example.com", "reader-1@example.com"])
        let users = bulk["userIds"]?.array?.compactMap(\.string)
        #expect(users == [site.wireID(.author), site.wireID(.reader(1))])
        #expect(bulk["ipHashes"]?.array?.count == 1)
    }

    @Test(arguments: [nil, [:], ["commentIds": "x"], ["commentIds": [1]]] as [JSONValue?])
    func aBulkSummaryNeedsIDs(_ body: JSONValue?) throws {
        try site.refuses(body == nil ? 400 : 422, body == nil ? "malformed-json" : "invalid-input") {
            try admin.moderating("POST", "bulk-pre-ban-summary", body: body)
        }
    }

    @Test func aBulkSummaryTakesAThousandIDs() throws {
        let ids = { (count: Int) -> JSONValue in
            ["commentIds": .array((0..<count).map { .string("id-\($0)") })]
        }
        try site.takes { try admin.moderating("POST", "bulk-pre-ban-summary", body: ids(1000)) }
        try site.refuses(422, "invalid-input") {
            try admin.moderating("POST", "bulk-pre-ban-summary", body: ids(1001))
        }
    }

    // MARK: Undo

    @Test func aNewBanIsTakenBack() throws {
        let answer = try site.takes { try admin.ban(author.posted("First")) }
        try site.refuses(403, "banned") { try author.post("Again") }
        let other = try Site()
        let stranger = try other.known(.admin)
        let changelog = try #require(answer["changelog"])
        try other.takes { try stranger.moderating("POST", "ban-user/undo", body: ["changelog": changelog]) }
        try site.refuses(403, "banned") { try author.post("Again") }
        try site.takes { try undo(changelog) }
        try site.takes { try undo(changelog) }
        try site.takes { try author.post("Again") }
    }

    @Test func aReplacedBanComesBackAsItWasWhateverTheClientTells() throws {
        let first = try site.takes {
            try admin.ban(author.posted("First"), ["banEmail": "true", "bannedUntil": "one-hour"])
        }
        try site.execute("UPDATE ban SET until = 1 WHERE tenant_id = '\(site.tenant.id)'")
        let last = try author.posted("Last")
        try site.execute(
            "UPDATE ban SET until = \(SSO.now + 3_600_000) WHERE tenant_id = '\(site.tenant.id)'")
        let second = try site.takes { try admin.ban(last, ["banEmail": "true", "isShadowBan": "true"]) }
        let replaced = second["changelog", "deletedBannedUsers"]?.array ?? []
        #expect(try replaced.map { $0["_id"]?.string } == [id(first)])
        #expect(replaced.first?["bannedCommentText"] == "First" && replaced.first?["username"] == "author")
        try site.takes { try author.post("Nobody sees this") }
        let forged: JSONValue = [
            "createdBannedUserId": .string(try id(second)),
            "deletedBannedUsers": [["_id": .string(try id(first)), "userId": "somebody:else"], ["_id": "unknown"]],
        ]
        try site.takes { try undo(forged) }
        let refusal = try site.refuses(403, "banned") { try author.post("Again") }
        #expect(refusal["bannedUntil"] != nil)
        #expect(try site.count("ban WHERE tenant_id = '\(site.tenant.id)'") == 1)
    }

    @Test func aBanMayBeChangedAndChangedBack() throws {
        let (one, two) = (try author.posted("One"), try author.posted("Two"))
        let first = try site.takes { try admin.ban(one, ["banEmail": "true", "updateId": "a fresh token"]) }
        let changed = try site.takes {
            try admin.ban(
                two, ["banIP": "true", "isShadowBan": "true", "bannedUntil": "six-months", "updateId": id(first)])
        }
        let changelog = try #require(changed["changelog"])
        #expect(changelog["createdBannedUserId"] == nil)
        #expect(try changelog["updatedBannedUserId"]?.string == id(first))
        #expect(changelog["changedValuesBefore", "email"] == "author@example.com")
        #expect(changelog["changedValuesBefore", "banType"] == "perma")
        try site.takes { try author.post("Nobody sees this") }
        try site.takes { try undo(changelog) }
        try site.refuses(403, "banned") { try author.post("Again") }
        #expect(try site.count("ban WHERE tenant_id = '\(site.tenant.id)'") == 1)
        let foreign = try Site()
        let boss = try foreign.known(.admin)
        let theirs = try foreign.reader(.author).posted("Theirs")
        let own = try foreign.takes { try boss.ban(theirs, ["banEmail": "true", "updateId": id(first)]) }
        #expect(own["changelog", "createdBannedUserId"] != nil, "a ban of another tenant is none")
    }

    @Test(
        arguments: [
            [:], ["changelog": nil], ["changelog": "x"], ["changelog": ["createdBannedUserId": 5]],
            ["changelog": ["deletedBannedUsers": "x"]], ["changelog": ["deletedBannedUsers": [5]]],
        ] as [JSONValue])
    func anUndoNeedsAChangelog(_ body: JSONValue) throws {
        try site.refuses(422, "invalid-input") { try admin.moderating("POST", "ban-user/undo", body: body) }
    }
}

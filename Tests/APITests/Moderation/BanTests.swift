import Foundation
import JSON
import TestSupport
import Testing

/// What a ban keeps somebody from (contract: public 22.8, admin 6.6).
@Suite struct BanTests {
    private static let attempts = "audit_log WHERE resource IN ('Comment', 'Vote', 'FeedPost') AND tenant_id = "

    private static func attempts(_ site: Site) throws -> Int64 { try site.count(attempts + "'\(site.tenant.id)'") }

    @Test func whoeverIsBannedLearnsWhyAndUntilWhen() throws {
        let site = try Site()
        let (author, admin) = (try site.known(.author), try site.known(.admin))
        let (first, second) = (try author.posted("First"), try author.posted("Second"))
        let other = try site.known(.reader(1)).posted("Other")
        let post = try site.takes { try author.share(["contentHTML": "Post"]) }
        let begun = SSO.now
        try site.takes {
            try admin.ban(first, ["banEmail": "true", "bannedUntil": "one-hour", "banReason": "Shouting"])
        }
        let refusal = try site.refuses(403, "banned") { try author.post("Again") }
        let until = try #require(refusal["bannedUntil"]?.integer)
        #expect((begun + 3_600_000...SSO.now + 3_600_000).contains(until))
        #expect(refusal["translatedError"]?.string?.contains("Shouting") == true)
        try site.refuses(403, "banned") { try author.vote(other) }
        try site.refuses(403, "banned") { try author.edit(second, "Changed") }
        try site.refuses(403, "banned") { try author.share(["contentHTML": "Another"]) }
        try site.refuses(403, "banned") {
            try author.reshare(post["feedPost", "_id"]?.string ?? "", ["contentHTML": "Changed"])
        }
        #expect(try Self.attempts(site) == 5)
        #expect(try site.reader().comments()["comments"]?.array?.compactMap { $0["_id"]?.string } == [other, second])
        try site.takes { try author.delete(second) }
        try site.takes { try site.reader(.reader(1)).post("Others go on") }
    }

    @Test func whoIsBannedForEverIsToldNoEndAndEachLanguageHasWords() throws {
        let site = try Site()
        let author = try site.known(.author)
        try site.takes { try site.reader(.admin).ban(author.posted("First")) }
        let refusal = try site.refuses(403, "banned") { try author.post("Again") }
        #expect(refusal["bannedUntil"] == nil)
        let german = try author.post("Again", query: ["locale": "de_de"])
        #expect(german["translatedError"]?.string?.contains("zurzeit") == true)
    }

    @Test func aShadowBanLooksAsIfNothingWere() throws {
        let site = try Site()
        let (author, admin) = (try site.known(.author), try site.known(.admin))
        let (first, second) = (try author.posted("First"), try author.posted("Second"))
        let other = try site.known(.reader(1)).posted("Other")
        try site.takes { try admin.ban(first, ["banEmail": "true", "isShadowBan": "true"]) }
        let before = try site.rows()
        let posted = try site.takes { try author.post("Hello #tag") }
        #expect(posted["comment", "_id"] != nil && posted["comment", "commentHTML"] != nil)
        #expect(posted["user", "id"]?.string == site.wireID(.author))
        let vote = try site.takes { try author.vote(other) }
        #expect(vote["voteId"] != nil && vote["isVerified"] == true)
        let edited = try site.takes { try author.edit(second, "Changed") }
        #expect(edited["comment", "commentHTML"]?.string?.contains("Changed") == true)
        try site.takes { try author.share(["contentHTML": "Post"]) }
        #expect(try site.rows() == before)
        #expect(try site.count("hash_tag WHERE tenant_id = '\(site.tenant.id)'") == 0)
        #expect(try Self.attempts(site) == 4)
        // What would be refused anyhow is refused in the same way.
        try site.refuses(422, "empty-comment") { try author.post(" ") }
        try site.takes { try site.reader(.reader(1)).post("Others are heard") }
        #expect(try site.reader().comments()["comments"]?.array?.count == 3)
    }

    @Test func aBanIsToldBeforeOneThatIsNotAndTheLongestCounts() throws {
        let site = try Site()
        let (author, admin) = (try site.known(.author), try site.known(.admin))
        let ids = try (1...3).map { try author.posted("Number \($0)") }
        try site.takes { try admin.ban(ids[0], ["banIP": "true", "isShadowBan": "true"]) }
        try site.takes { try admin.ban(ids[1], ["banEmail": "true", "bannedUntil": "one-hour"]) }
        let hour = try site.refuses(403, "banned") { try author.post("Again") }
        try site.takes { try admin.ban(ids[2], ["banEmailDomain": "true", "bannedUntil": "one-year"]) }
        let year = try site.refuses(403, "banned") { try author.post("Again") }
        let (short, long) = (hour["bannedUntil"]?.integer ?? 0, year["bannedUntil"]?.integer ?? 0)
        #expect(long - short > 300 * 24 * 3_600_000)
    }

    @Test func aBanThatIsOverIsNone() throws {
        let site = try Site()
        let (author, admin) = (try site.known(.author), try site.known(.admin))
        try site.takes { try admin.ban(author.posted("First"), ["banEmail": "true", "bannedUntil": "one-day"]) }
        #expect(
            try admin.client.request(
                "GET", "/auth/my-account/moderate-comments/banned-users/mod_api/counts",
                ["tenantId": site.tenant.id, "sso": admin.sso])["totalCount"] == 1)
        try site.execute("UPDATE ban SET until = 1 WHERE tenant_id = '\(site.tenant.id)'")
        let id = try author.posted("Again")
        #expect(
            try admin.client.request(
                "GET", "/auth/my-account/moderate-comments/banned-users/counts",
                ["tenantId": site.tenant.id, "sso": admin.sso])["totalCount"] == 0)
        #expect(try admin.moderating("GET", "ban-users/from-comment/\(id)")["bannedUsers"] == [])
    }

    // MARK: Identities

    @Test func anAddressIsKnownWhateverStandsBehindThePlusSign() throws {
        let site = try Site()
        let admin = try site.known(.admin)
        let id = try site.reader(Person("one", email: "Some.Body+first@Example.org")).posted("First")
        try site.takes { try admin.ban(id) }
        let again = try site.known(Person("two", email: "some.body+second@example.org"))
        try site.refuses(403, "banned") { try again.post("Again") }
        try site.takes { try site.reader(Person("three", email: "some.body.else@example.org")).post("Hello") }
        let guest = try site.reader()
        try site.refuses(403, "banned") {
            try guest.post("Again", extras: ["commenterName": "G", "commenterEmail": "some.body@EXAMPLE.org"])
        }
    }

    @Test func aDomainIsEverybodyThereButStaff() throws {
        let site = try Site()
        let admin = try site.known(Person("admin", email: "boss@example.org", extras: ["isAdmin": true]))
        let id = try site.reader(Person("one", email: "one@example.org")).posted("First")
        let answer = try site.takes { try admin.ban(id, ["banEmailDomain": "true"]) }
        #expect(answer["changelog", "createdBannedUserId"] != nil)
        let two = try site.known(Person("two", email: "two@Example.org"))
        try site.refuses(403, "banned") { try two.post("Again") }
        try site.takes { try site.reader(Person("three", email: "three@sub.example.org")).post("Hello") }
        try site.takes { try admin.post("Staff goes on") }
    }

    @Test func aGuestIsKnownByTheSession() throws {
        let site = try Site(["allowAnon": true])
        let (guest, admin) = (try site.reader(), try site.known(.admin))
        let first = try site.takes { try guest.post("First") }
        let second = try site.takes {
            try guest.post("Second", query: ["sessionId": first["user", "sessionId"]?.string])
        }
        try site.takes { try admin.ban(first["comment", "_id"]?.string ?? "") }
        let session: QueryItems = ["sessionId": first["user", "sessionId"]?.string]
        try site.refuses(403, "banned") { try guest.post("Again", query: session) }
        try site.refuses(403, "banned") {
            try guest.edit(
                second["comment", "_id"]?.string ?? "", "Changed",
                query: ["editKey": second["comment", "editKey"]?.string])
        }
        try site.takes { try guest.post("Somebody else") }
    }

    @Test func anAddressOfTheNetworkIsKnownWithoutIdentity() throws {
        let site = try Site(["allowAnon": true])
        let (guest, admin) = (try site.reader(), try site.known(.admin))
        let first = try site.takes { try guest.post("First") }["comment", "_id"]?.string ?? ""
        try site.takes { try admin.ban(first, ["banIP": "true"]) }
        try site.refuses(403, "banned") { try guest.post("Again") }
        try site.takes { try admin.post("Staff goes on") }
        let other = try Site(["allowAnon": true])
        try other.takes { try other.reader().post("Another site") }
    }
}

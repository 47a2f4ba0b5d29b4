import JSON
import TestSupport
import Testing

/// How far moderators trust somebody, and what they learn of them (contract: admin 6.7).
@Suite struct TrustTests {
    private let site: Site
    private let admin: Reader
    private let id: String

    init() throws {
        site = try Site()
        id = try site.reader(.author.with(["displayName": "An Author"])).posted("Hello")
        admin = try site.known(.admin)
    }

    private func trust(_ user: String? = "author") throws -> Answer {
        try admin.moderating("GET", "get-trust-factor", ["userId": user])
    }

    private func set(_ factor: String?, _ user: String? = "author") throws -> Answer {
        try admin.moderating("PUT", "set-trust-factor", ["userId": user, "trustFactor": factor])
    }

    @Test func onlyModeratorsDecideOnTrust() throws {
        try site.refusesStrangers("GET", "get-trust-factor", ["userId": "author"])
        try site.refusesStrangers("PUT", "set-trust-factor", ["userId": "author", "trustFactor": "5"])
        try site.refusesStrangers("GET", "get-user-internal-profile", ["commentId": id])
        let stranger = try Site().known(.admin)
        try site.refuses(404, "not-found") {
            try stranger.moderating("GET", "get-user-internal-profile", ["commentId": id])
        }
        try site.refuses(404, "not-found") {
            try admin.moderating("GET", "get-user-internal-profile", ["commentId": "unknown"])
        }
        try site.refuses(422, "invalid-input") { try admin.moderating("GET", "get-user-internal-profile") }
        try site.refuses(422, "invalid-input") { try trust(nil) }
        try site.refuses(422, "invalid-input") { try set("5", nil) }
        try site.refuses(404, "user-does-not-exist") { try set("5", "nobody") }
        for factor in ["-1", "101", "0.5", "x", "1e2"] {
            try site.refuses(422, "invalid-input") { try set(factor) }
        }
    }

    @Test func whatIsSetStandsBesideWhatFollowsFromComments() throws {
        let fresh = try site.takes { try trust() }
        #expect(fresh["autoTrustFactor"] == 0 && fresh["manualTrustFactor"] == nil)
        #expect(try site.takes { try trust("nobody") }["autoTrustFactor"] == nil)
        #expect(try site.takes { try set("0") }["previousManualTrustFactor"] == nil)
        #expect(try site.takes { try set("100", site.wireID(.author)) }["previousManualTrustFactor"] == 0)
        #expect(try trust()["manualTrustFactor"] == 100)
        #expect(try site.takes { try set("") }["previousManualTrustFactor"] == 100)
        #expect(try site.takes { try set(nil) }["previousManualTrustFactor"] == nil)
        #expect(try trust()["manualTrustFactor"] == nil)
        let year: Int64 = 365 * 24 * 3_600_000
        try site.execute("UPDATE comment SET created_at = \(SSO.now - year / 4) WHERE id = '\(id)'")
        // A quarter of a year is half of the probation; one comment.
        #expect(try trust()["autoTrustFactor"] == 17)
    }

    @Test func theProfileSaysWhatIsKnown() throws {
        try site.takes { try site.reader(.reader(1)).vote(id) }
        let answer = try site.takes { try admin.moderating("GET", "get-user-internal-profile", ["commentId": id]) }
        let profile = try #require(answer["profile"])
        #expect(profile["commenterName"] == "An Author" && profile["username"] == "author")
        #expect(profile["displayName"] == "An Author" && profile["verified"] == true && profile["karma"] == 1)
        #expect(profile["commenterEmail"] == "author@example.com" && profile["email"] == "author@example.com")
        #expect(profile["userId"]?.string == site.wireID(.author) && profile["anonUserId"] == .null)
        #expect(profile["ipHash"]?.string?.utf8.count == 32)
        #expect(profile["firstCommentDate"]?.string?.hasSuffix("Z") == true)
        let open = try Site(["allowAnon": true])
        let guest = try open.takes { try open.reader().post("Hi") }["comment", "_id"]?.string ?? ""
        let bare = try open.takes {
            try open.known(.admin).moderating("GET", "get-user-internal-profile", ["commentId": guest])
        }
        #expect(bare["profile", "userId"] == .null && bare["profile", "username"] == nil)
        #expect(bare["profile", "anonUserId"]?.string?.hasPrefix("anon:") == true)
    }
}

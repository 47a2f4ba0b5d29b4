import JSON
import TestSupport
import Testing

/// The page's list of bans in force.
@Suite struct BanListTests {
    private let site: Site
    private let admin: Reader

    init() throws {
        site = try Site()
        admin = try site.known(.admin)
    }

    private func list(_ query: QueryItems = [:], by reader: Reader? = nil) throws -> Answer {
        try site.takes { try (reader ?? admin).moderating("GET", "banned-users", query) }
    }

    /// Bans somebody who wrote something.
    /// - Returns: the ban's id.
    @discardableResult
    private func ban(_ person: Person, _ text: String, _ query: QueryItems = [:], byEmail: Bool = true) throws -> String
    {
        let id = try site.known(person).posted(text)
        let answer = try site.takes { try admin.ban(id, ["banEmail": byEmail ? "true" : "false"] + query) }
        return try #require(answer["changelog", "createdBannedUserId"]?.string)
    }

    private func ids(_ answer: Answer) throws -> [String] {
        try #require(answer["bannedUsers"]?.array).compactMap { $0["_id"]?.string }
    }

    @Test func onlyModeratorsReadIt() throws {
        try site.refusesStrangers("GET", "banned-users")
    }

    @Test func aBanIsListedWithAllThatIsKnownUntilItIsLifted() throws {
        #expect(try list()["bannedUsers"] == [] && list()["totalCount"] == 0)
        let first = try ban(.author, "Bad *words*", ["banReason": "Rude", "bannedUntil": "one-week"])
        let second = try ban(
            .reader(1), "Worse", ["banIP": "true", "isShadowBan": "true"], byEmail: false)
        let answer = try list()
        #expect(try ids(answer) == [second, first])
        #expect(answer["totalCount"] == 2 && answer["nextAfter"] == .null)
        let entry = try #require(answer["bannedUsers", 1])
        #expect(entry["username"] == "author" && entry["email"] == "author@example.com")
        #expect(entry["userId"]?.string == site.wireID(.author) && entry["ipHash"] == .null)
        #expect(entry["banType"] == "perma" && entry["banReason"] == "Rude")
        #expect(entry["bannedCommentText"] == "Bad *words*" && entry["bannedByName"] == "admin")
        #expect((entry["bannedUntil"]?.string).flatMap(ISODate.parse) != nil)
        let other = try #require(answer["bannedUsers", 0])
        #expect(other["banType"] == "perma-shadow" && other["bannedUntil"] == .null && other["email"] == .null)
        #expect(other["ipHash"]?.string != nil)
        for id in [second, first] {
            let changelog: JSONValue = ["createdBannedUserId": .string(id)]
            try site.takes { try admin.moderating("POST", "ban-user/undo", body: ["changelog": changelog]) }
        }
        #expect(try list()["bannedUsers"] == [])
        #expect(try site.known(.author).post("Again").isSuccess)
    }

    @Test func bansThatAreOverAndBansOfOthersAreLeftOut() throws {
        try ban(.author, "Bad", ["bannedUntil": "one-hour"])
        try site.execute("UPDATE ban SET until = \(SSO.now - 1000) WHERE tenant_id = '\(site.tenant.id)'")
        let answer = try list()
        #expect(answer["bannedUsers"] == [] && answer["totalCount"] == 0)
        try ban(.reader(1), "Worse")
        let other = try Site()
        let stranger = try other.known(.admin)
        #expect(try stranger.moderating("GET", "banned-users")["totalCount"] == 0)
    }

    @Test func partsFollowEachOther() throws {
        let all = try (1...3).map { try ban(.reader($0), "Number \($0)") }
        let first = try list(["count": "2"])
        #expect(try ids(first) == [all[2], all[1]] && first["totalCount"] == 3)
        let last = try list(["count": "2", "after": try #require(first["nextAfter"]?.string)])
        #expect(try ids(last) == [all[0]] && last["nextAfter"] == .null && last["totalCount"] == 3)
    }

    @Test(
        arguments: [
            ("AUTHOR", 1), ("example.com", 2), ("cheap", 1), ("rude", 1), ("Admin", 2), ("100%", 0), ("_", 0),
            ("  ", 2),
        ])
    func wordsAreLookedForInAllThatIsTold(_ words: String, _ count: Int) throws {
        try ban(.author, "Cheap watches", ["banReason": "Rude"])
        try ban(.reader(1), "Other")
        #expect(try list(["text-search": words])["totalCount"]?.integer == Int64(count))
        #expect(try list(["text-search": words])["bannedUsers"]?.array?.count == count)
    }

    @Test(
        arguments: [
            ["count": "0"], ["count": "201"], ["count": "x"], ["after": "x"], ["after": "1"],
            ["text-search": String(repeating: "x", count: 501)],
        ] as [QueryItems])
    func whatAPartNeedsIsChecked(_ query: QueryItems) throws {
        try site.refuses(422, "invalid-input") { try admin.moderating("GET", "banned-users", query) }
    }

    @Test func aSearchHasFiveHundredCharactersAtMost() throws {
        #expect(try list(["count": "200", "text-search": String(repeating: "x", count: 500)])["totalCount"] == 0)
    }

    @Test func whoeverIsBoundToGroupsSeesThoseTheyMayLift() throws {
        try ban(.author, "Bad")
        let id = try site.known(.reader(1)).posted("Own")
        try site.group([id], #"["g1"]"#)
        let moderator = try site.known(.moderator)
        try site.bind(.moderator, to: #"["g1"]"#)
        #expect(try list(by: moderator)["totalCount"] == 0)
        let answer = try site.takes { try moderator.ban(id) }
        let own = try #require(answer["changelog", "createdBannedUserId"]?.string)
        #expect(try ids(list(by: moderator)) == [own])
        #expect(try list()["totalCount"] == 2)
    }
}

import JSON
import TestSupport
import Testing

/// Answers of the feed are kept in memory, and nobody may notice (contract: live 5.2).
@Suite struct FeedCacheTests {
    private static func site(_ count: Int) throws -> (site: Site, ids: [String]) {
        let site = try Site()
        let author = try site.reader(Person("ann", username: "Ann Lee"))
        return (site, try (0..<count).map { try author.shared("\($0)", tags: ["t"]) })
    }

    @Test func aKeptAnswerShowsEveryChangeAtOnce() throws {
        let (site, ids) = try Self.site(2)
        let id = ids[1]
        let reader = try site.reader()
        let other = try site.reader(.reader(1))
        func member(_ name: String) throws -> JSONValue? {
            let head = try reader.feed()["feedPosts", 0]
            #expect(try reader.feed(["tags": "t"])["feedPosts", 0] == head)
            let stats = try reader.stats([id])["stats", .key(id)]
            #expect(stats?["reacts"] == head?["reacts"] && stats?["commentCount"] == head?["commentCount"])
            return head?[.key(name)]
        }
        #expect(try member("reacts") == [:])
        try site.takes { try other.react(id) }
        #expect(try member("reacts") == ["l": 1])
        try site.takes { try other.react(id, undo: true) }
        #expect(try member("reacts") == [:])
        let page = other.on("post:\(id)")
        let comment = try page.posted("Comment")
        #expect(try member("commentCount") == 1)
        try site.hide(comment)
        #expect(try member("commentCount") == 0)
        try site.execute("UPDATE comment SET is_approved = 1 WHERE id = '\(comment)'")
        #expect(try member("commentCount") == 1)
        try site.execute("PRAGMA foreign_keys = ON; DELETE FROM page WHERE url_id = 'post:\(id)'")
        #expect(try member("commentCount") == 0)
        try site.takes { try site.reader(.admin).reshare(id, ["title": "Changed"]) }
        #expect(try member("title") == "Changed")
        _ = try site.reader(Person("ann", username: "Eva Lee")).comments()
        #expect(try member("fromUserDisplayName") == "Eva Lee")
        try site.seed(["tenants": [["id": .string(site.tenant.id), "settings": ["commenterNameFormat": 2]]]])
        #expect(try member("fromUserDisplayName") == "Eva L.")
        try site.execute("DELETE FROM person WHERE tenant_id = '\(site.tenant.id)' AND id LIKE '%:ann'")
        #expect(try member("fromUserDisplayName") == "Ann L.")
        try site.weigh(ids[0], 1)
        #expect(try reader.feed()["feedPosts", 0, "_id"]?.string == ids[0])
        #expect(try reader.feed(["tags": "t"])["feedPosts", 0, "_id"]?.string == ids[0])
        try site.takes { try site.reader(.admin).unshare(ids[0]) }
        #expect(try member("_id")?.string == id)
    }

    @Test func totalsStayTrueWhoeverRemovesReactions() throws {
        let (site, ids) = try Self.site(1)
        for number in 1...3 {
            for type in ["l", "h"] { try site.takes { try site.reader(.reader(number)).react(ids[0], type) } }
        }
        #expect(try site.reader().feed()["feedPosts", 0, "reacts"] == ["h": 3, "l": 3])
        try site.execute(
            """
            DELETE FROM feed_react WHERE tenant_id = '\(site.tenant.id)'
              AND (reactor_key LIKE '%:reader-2' OR react_type = 'l')
            """)
        #expect(try site.reader().feed()["feedPosts", 0, "reacts"] == ["h": 2])
        #expect(try site.reader().stats(ids)["stats", .key(ids[0]), "reacts"] == ["h": 2])
    }

    @Test func whatIsTheViewersIsNotKept() throws {
        let (site, ids) = try Self.site(1)
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.react(ids[0]) }
        for _ in 0..<2 {
            let mine = try reader.feed(["includeUserInfo": "true"])
            #expect(mine["myReacts"] == [ids[0]: ["l": true]] as JSONValue)
            #expect(mine["user", "username"] == "reader-1")
            let theirs = try site.reader(.reader(2)).feed(["includeUserInfo": "true"])
            #expect(theirs["myReacts"] == [:] && theirs["user", "username"] == "reader-2")
            #expect(theirs["feedPosts"] == mine["feedPosts"] && theirs["userIdWS"] != mine["userIdWS"])
            #expect(try site.reader().feed()["user"] == nil)
        }
    }

    @Test func aTenantMadeAgainBeginsWithAnEmptyFeed() throws {
        let (site, ids) = try Self.site(1)
        #expect(try site.reader().feed()["feedPosts"]?.array?.count == 1)
        try site.execute("PRAGMA foreign_keys = ON; DELETE FROM tenant WHERE id = '\(site.tenant.id)'")
        try site.seed([
            "tenants": [["id": .string(site.tenant.id), "key": .string(site.tenant.apiKey)]], "pages": [],
        ])
        #expect(try site.reader().feed()["feedPosts"] == [])
        #expect(try site.reader().stats(ids)["stats"] == [:])
        let post = try site.reader(.author).shared("New")
        #expect(try site.reader().feed()["feedPosts", 0, "_id"]?.string == post)
        #expect(try site.reader().feed()["feedPosts"]?.array?.count == 1)
    }
}

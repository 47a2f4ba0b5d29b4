import JSON
import TestSupport
import Testing

/// Somebody's comments on all pages (contract: public 19).
@Suite struct CommentsForUserTests {
    private static func activity(_ query: QueryItems, of reader: Reader) throws -> Answer {
        try reader.client.request("GET", "/comments-for-user", query + ["sso": reader.sso])
    }

    private static func texts(_ answer: Answer) -> [String]? {
        answer["comments"]?.array?.compactMap { $0["commentHTML"]?.string }
    }

    private static func own(_ site: Site, _ query: QueryItems = [:], of viewer: Person? = nil) throws -> Answer {
        try site.takes {
            try activity(["userId": "\(site.tenant.id):author"] + query, of: site.reader(viewer))
        }
    }

    @Test func commentsOfAllPagesComeNewestFirst() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let root = try author.posted("One")
        let other = try site.reader(.reader(1), at: "other").posted("Not mine")
        _ = try author.on("other").posted("Two", replyingTo: other)
        _ = try author.posted("Three")
        try site.takes { try author.vote(root) }
        let answer = try Self.own(site)
        #expect(Self.texts(answer) == ["Three", "Two", "One"])
        #expect(answer["commentCount"] == 3 && answer["hasMore"] == false && answer["isSiteAdmin"] == false)
        #expect(answer["comments", 1, "parentId"] == .string(other))
        #expect(answer["lastGenDate"] == nil && answer["pageNumber"] == nil && answer["moderatingTenantIds"] == nil)
        #expect(answer["user"] == ["authorized": false, "isAnonSession": true, "hasBlockedUsers": false])
        #expect(Self.texts(try Self.own(site, ["direction": "OF"])) == ["One", "Two", "Three"])
        #expect(Self.texts(try Self.own(site, ["direction": "MR"]))?.first == "One")
        let mine = try Self.own(site, of: .author)
        #expect(mine["user", "id"] == .string("\(site.tenant.id):author") && mine["comments", 2, "isVotedUp"] == true)
        #expect(try Self.own(site, of: .admin)["moderatingTenantIds"] == [.string(site.tenant.id)])
    }

    @Test func thirtyCommentsAreAPage() throws {
        let site = try Site()
        let tenant = JSONValue.string(site.tenant.id)
        let fill = { (numbers: ClosedRange<Int>) in
            try site.seed([
                "people": [["tenant": tenant, "id": "author", "username": "author"]],
                "pages": [
                    [
                        "tenant": tenant, "urlId": "page",
                        "comments": .array(
                            numbers.map {
                                ["author": "author", "comment": .string("\($0)"), "date": .integer(Int64($0))]
                            }),
                    ]
                ],
            ])
        }
        try fill(1...30)
        let full = try Self.own(site)
        #expect(full["comments"]?.array?.count == 30 && full["hasMore"] == false && full["commentCount"] == 30)
        try fill(31...31)
        let first = try Self.own(site, ["page": "0.0"])
        #expect(Self.texts(first) == (2...31).reversed().map { "\($0)" } && first["hasMore"] == true)
        let second = try Self.own(site, ["page": "1"])
        #expect(Self.texts(second) == ["1"] && second["hasMore"] == false && second["commentCount"] == 31)
        #expect(Self.texts(try Self.own(site, ["page": "2"])) == [])
        #expect(Self.texts(try Self.own(site, ["page": "99999999999"])) == [])
    }

    @Test func repliesOfOthersAreAListOfTheirOwn() throws {
        let site = try Site()
        let root = try site.reader(.author).posted("Mine")
        let reply = try site.reader(.reader(1)).posted("Answer", replyingTo: root)
        _ = try site.reader(.author).posted("My own answer", replyingTo: root)
        _ = try site.reader(.reader(1)).posted("Answer to an answer", replyingTo: reply)
        let guest = try site.takes {
            try site.reader().post("From a guest", replyingTo: root, extras: guestExtras)
        }
        let replies = { (query: QueryItems) in
            try site.takes {
                try Self.activity(["repliesToUserId": "\(site.tenant.id):author"] + query, of: site.reader())
            }
        }
        let answer = try replies(["userId": "\(site.tenant.id):reader-1"])
        #expect(Self.texts(answer) == ["From a guest", "Answer"] && answer["commentCount"] == 2)
        try site.takes { try site.reader(.moderator).delete(guest["comment", "_id"]?.string ?? "") }
        #expect(Self.texts(try replies([:])) == ["Answer"])
    }

    // MARK: Whose

    @Test func aTenantComesFromTheIDOrIsNamed() throws {
        let site = try Site()
        _ = try site.reader(.author).posted("Hello")
        let get = { (query: QueryItems) in try Self.activity(query, of: site.reader()) }
        let id = "\(site.tenant.id):author"
        for query: QueryItems in [
            ["userId": id], ["userId": id, "tenantId": "all"], ["userId": "author", "tenantId": site.tenant.id],
            ["userId": id, "tenantId": site.tenant.id, "urlId": "x", "countAll": "true", "lastGenDate": "1"],
        ] {
            #expect(Self.texts(try site.takes { try get(query) }) == ["Hello"])
        }
        #expect(Self.texts(try site.takes { try get(["userId": "\(site.tenant.id):nobody"]) }) == [])
        for query: QueryItems in [
            [:], ["userId": "author"], ["userId": "author", "tenantId": "all"], ["userId": "nobody-here:author"],
            ["tenantId": site.tenant.id], ["tenantId": "all"],
        ] {
            try site.refuses(404, "not-found") { try get(query) }
        }
        try site.refuses(404, "not-found") { try get(["userId": id, "tenantId": "nobody-here"]) }
        let other = try Site()
        #expect(Self.texts(try site.takes { try get(["userId": id, "tenantId": other.tenant.id]) }) == [])
    }

    @Test func theSignOnOrTheSessionTellsTheTenantToo() throws {
        let site = try Site()
        let author = try site.reader(.author)
        _ = try author.posted("Mine")
        let guest = try site.takes { try site.reader().post("A guest's", extras: guestExtras) }
        for id in ["author", "author:1"] {
            let answer = try Self.activity(["userId": id], of: author)
            #expect(Self.texts(answer) == (id == "author" ? ["Mine"] : []), "\(answer.text)")
        }
        #expect(Self.texts(try Self.activity([:], of: author)) == ["Mine"])
        let session: QueryItems = ["sessionId": guest["user", "sessionId"]?.string]
        #expect(Self.texts(try Self.activity(session, of: site.reader())) == ["A guest's"])
        try site.refuses(404, "not-found") { try Self.activity(["sessionId": "unknown"], of: site.reader()) }
        try site.refuses(404, "not-found") {
            try Self.activity(["userId": "author"], of: author.signedOn(SSO.secure(.author, key: "unknown")))
        }
    }

    @Test func repliesThatWereNotViewedInTheBellAreMarked() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let root = try author.posted("Mine")
        _ = try site.reader(.reader(1)).posted("First", replyingTo: root)
        _ = try site.reader(.reader(1)).posted("Second", replyingTo: root)
        try site.settle()
        let first = try #require(try author.notices()["notifications", 1, "_id"]?.string)
        try site.takes { try author.notice("/\(first)/mark/read") }
        let unread = { (viewer: Reader) in
            let query: QueryItems = ["repliesToUserId": "\(site.tenant.id):author"]
            return try Self.activity(query, of: viewer)["comments"]?.array?.map { $0["isUnread"] }
        }
        #expect(try unread(author) == [true, nil])
        #expect(try unread(site.reader(.reader(1))) == [nil, nil])
    }

    @Test func somebodyWhoIsSignedOnNeedsNoID() throws {
        let site = try Site()
        _ = try site.reader(.author).posted("Hello")
        let answer = try site.takes {
            try Self.activity(["tenantId": site.tenant.id], of: site.reader(.author))
        }
        #expect(Self.texts(answer) == ["Hello"])
        // First sight makes a person here too.
        let new = try site.takes {
            try Self.activity(["userId": "\(site.tenant.id):author"], of: site.reader(.reader(7)))
        }
        #expect(new["user", "username"] == "reader-7" && Self.texts(new) == ["Hello"])
    }

    @Test func aGuestHasComments() throws {
        let site = try Site()
        let guest = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let id = try #require(guest["user", "id"]?.string)
        let answer = try site.takes {
            try Self.activity(["tenantId": site.tenant.id, "userId": id], of: site.reader())
        }
        #expect(Self.texts(answer) == ["Hello"])
    }

    // MARK: What is seen

    @Test func whoeverHidesTheirCommentsShowsThemToNobodyElse() throws {
        let site = try Site()
        let hidden = Person.author.with(["isProfileCommentsPrivate": true])
        _ = try site.reader(hidden).posted("Hello")
        for parameter in ["userId", "repliesToUserId"] {
            let query: QueryItems = [parameter: "\(site.tenant.id):author"]
            _ = try site.reader(.reader(1)).comments()
            try site.refuses(403, "profile-comments-private") { try Self.activity(query, of: site.reader()) }
            try site.refuses(403, "profile-comments-private") { try Self.activity(query, of: site.reader(.reader(1))) }
            try site.takes { try Self.activity(query, of: site.reader(hidden)) }
            try site.takes { try Self.activity(query, of: site.reader(.moderator)) }
        }
        try site.takes { try site.reader(Person.author.with(["isProfileCommentsPrivate": false])).comments() }
        #expect(Self.texts(try Self.own(site)) == ["Hello"])
    }

    @Test func pagesThatTheViewerMayNotReadAreLeftOut() throws {
        let site = try Site(pages: [["urlId": "closed", "groupIds": ["staff"]]])
        let author = Person.author.with(["groupIds": ["staff"]])
        _ = try site.reader(author, at: "closed").posted("Secret")
        _ = try site.reader(author).posted("Open")
        let seen = { (viewer: Person?) in try Self.own(site, of: viewer) }
        let (mine, others) = (try seen(author), try seen(nil))
        #expect(Self.texts(mine) == ["Open", "Secret"] && mine["commentCount"] == 2)
        #expect(Self.texts(others) == ["Open"] && others["commentCount"] == 1)
        let closed = try Site(["requireSSO": true])
        _ = try closed.reader(.author).posted("Hello")
        try closed.refuses(403, "unauthorized-page") {
            try Self.activity(["userId": "\(closed.tenant.id):author"], of: closed.reader())
        }
    }

    @Test func placeholdersAreNobodysAndBlocksAreMarked() throws {
        let site = try Site(["commentThreadDeleteMode": 1])
        let kept = try site.reader(.author).posted("Kept")
        let gone = try site.reader(.author).posted("Gone")
        _ = try site.reader(.reader(1)).posted("Reply", replyingTo: gone)
        try site.takes { try site.reader(.author).delete(gone) }
        try site.takes { try site.reader(.reader(1)).block(kept) }
        let answer = try Self.own(site, of: .reader(1))
        #expect(Self.texts(answer) == ["Kept"] && answer["comments", 0, "isBlocked"] == true)
        #expect(answer["user", "hasBlockedUsers"] == true)
    }

    @Test func parametersAreChecked() throws {
        let site = try Site()
        let id: QueryItems = ["userId": "\(site.tenant.id):author"]
        let get = { (query: QueryItems) in try Self.activity(id + query, of: site.reader()) }
        try site.refuses(422, "invalid-direction") { try get(["direction": "XX"]) }
        for page in ["-1", "1.5", "x"] { try site.refuses(400, "invalid-input") { try get(["page": page]) } }
        try site.refuses(400, "invalid-input") { try get(["includei10n": "maybe"]) }
        try site.refuses(401, "malformed-sso") { try get(["sso": "x"]) }
        #expect(try site.takes { try get(["includei10n": "true"]) }["customConfig"] != nil)
        #expect(try site.takes { try get(["isCrawler": "true", "locale": "de"]) }["customConfig"] == nil)
    }
}

import JSON
import TestSupport
import Testing

/// Trees, marks, flags, blocks and deletions by a site's backend (contract: admin 5.1).
@Suite struct BackendCommentActTests {
    private static func ids(_ answer: Answer) -> [String] {
        (answer["comments"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    // MARK: Lists

    @Test func commentsAreFoundByAuthorTagAndDate() throws {
        let site = try Site()
        try site.known(.author)
        let first = try site.saved("One #red #blue", ["userId": "author", "date": 1000])
        let second = try site.saved("Two #red", ["date": 2000])
        let other = try site.saved("Three #red", ["userId": "author", "urlId": "other", "date": 3000])
        let hidden = try site.does("POST", "comments", [:], Site.comment("#red", ["userId": "author"]))
        let list = { (query: QueryItems) in Self.ids(try site.does("GET", "comments", query)) }
        #expect(try list(["userId": "author", "direction": "OF"]) == [first, other])
        #expect(try list(["userId": site.wireID("author"), "direction": "NF"]) == [other, first])
        #expect(try list(["userId": "author", "urlId": "page"]) == [first])
        #expect(try list(["hashTag": "#red", "direction": "OF"]) == [first, second, other])
        #expect(try list(["hashTag": "red", "urlId": "page", "direction": "OF"]) == [first, second])
        var both: QueryItems = ["hashTag": "#red"]
        both.append("hashTag", "#blue")
        #expect(try list(both) == [first])
        let late: QueryItems = ["hashTag": "#red", "fromDate": "2000", "toDate": "3000", "direction": "OF"]
        #expect(try list(late) == [second, other])
        #expect(try list(["urlId": "page", "fromDate": "1000", "toDate": "1000"]) == [first])
        #expect(try list(["urlId": "page", "fromDate": "3", "toDate": "1"]) == [])
        #expect(try list(["hashTag": "#red", "skip": "1", "limit": "1", "direction": "OF"]) == [second])
        try site.refuses(422, "missing-date", "GET", "comments", ["urlId": "page", "fromDate": "1"])
        try site.refuses(422, "invalid-date", "GET", "comments", ["urlId": "page", "fromDate": "x", "toDate": "1"])
        try site.refuses(422, "missing-url-id", "GET", "comments")
        #expect(try site.stored(try #require(hidden["comment", "id"]?.string))["approved"] == false)
    }

    @Test func aTreeIsAsDeepAsAsked() throws {
        let site = try Site()
        let root = try site.saved("Root", ["date": 1])
        let child = try site.saved("Child", ["parentId": .string(root), "date": 2])
        let second = try site.saved("Second", ["parentId": .string(root), "date": 3])
        let leaf = try site.saved("Leaf", ["parentId": .string(child), "date": 4])
        let tree = { (query: QueryItems) in
            try site.does(
                "GET", "comments", ["urlId": "page", "asTree": "true", "parentId": "null", "direction": "OF"] + query)
        }
        let all = try tree([:])
        #expect(Self.ids(all) == [root])
        #expect(all["comments", 0, "children", 0, "id"]?.string == child)
        #expect(all["comments", 0, "children", 0, "children", 0, "id"]?.string == leaf)
        #expect(all["comments", 0, "children", 1, "hasChildren"] == false)
        let flat = try tree(["maxTreeDepth": "0"])
        #expect(flat["comments", 0, "children"] == nil && flat["comments", 0, "hasChildren"] == true)
        let one = try tree(["maxTreeDepth": "1", "limitChildren": "1", "skipChildren": "1"])
        #expect(one["comments", 0, "children"]?.array?.count == 1)
        #expect(one["comments", 0, "children", 0, "id"]?.string == second)
        try site.refuses(
            422, "invalid-pagination-request", "GET", "comments", ["urlId": "page", "asTree": "true"])
        for (name, code) in [
            ("maxTreeDepth", "invalid-max-tree-depth"), ("limitChildren", "invalid-limit-children"),
            ("skipChildren", "invalid-skip-children"),
        ] {
            try site.refuses(422, code, "GET", "comments", ["urlId": "page", name: "-1"])
        }
    }

    @Test func marksAreThoseOfWhomItIsAskedFor() throws {
        let site = try Site()
        let reader = try site.known(.reader(1))
        let id = try site.saved("Hello", ["commenterEmail": "a@example.com"])
        _ = try site.takes { try reader.vote(id) }
        _ = try site.takes { try reader.flag(id) }
        let plain = try site.does("GET", "comments", ["urlId": "page"])["comments", 0]
        #expect(plain?["isFlagged"] == nil && plain?["isVotedUp"] == nil)
        let marked = try site.does("GET", "comments", ["urlId": "page", "contextUserId": "reader-1"])["comments", 0]
        #expect(marked?["isFlagged"] == true && marked?["isVotedUp"] == true && marked?["isBlocked"] == false)
        #expect(marked?["myVoteId"]?.string != nil)
        try site.refuses(422, "invalid-user", "GET", "comments", ["urlId": "page", "contextUserId": "nobody"])
        let unknown = try site.does("GET", "comments", ["urlId": "page", "anonUserId": "unknown"])["comments", 0]
        #expect(unknown?["isFlagged"] == false)
    }

    @Test func aPageOfGroupsIsClosedToOthers() throws {
        let site = try Site(pages: [["urlId": "page", "groupIds": ["a"]]])
        try site.known(Person("in").with(["groupIds": ["a"]]), at: "other")
        try site.known(Person("out").with(["groupIds": ["b"]]), at: "other")
        let id = try site.saved("Hello")
        #expect(Self.ids(try site.does("GET", "comments", ["urlId": "page", "contextUserId": "in"])) == [id])
        #expect(Self.ids(try site.does("GET", "comments", ["urlId": "page"])) == [id])
        try site.refuses(403, "unauthorized-page", "GET", "comments", ["urlId": "page", "contextUserId": "out"])
    }

    // MARK: Flags

    @Test func everybodyFlagsOnce() throws {
        let site = try Site()
        try site.known(.reader(1))
        let id = try site.saved("Hello")
        let flaggers: [QueryItems] = [
            ["userId": "reader-1"], ["userId": "reader-1"], ["anonUserId": "x"], ["anonUserId": "anon:x"],
        ]
        for query in flaggers {
            try site.does("POST", "comments/\(id)/flag", query)
        }
        #expect(try site.stored(id)["flagCount"] == 2)
        for _ in 1...2 { try site.does("POST", "comments/\(id)/un-flag", ["userId": "reader-1"]) }
        #expect(try site.stored(id)["flagCount"] == 1)
        for path in ["flag", "un-flag", "block", "un-block"] {
            let path = "comments/\(id)/\(path)"
            try site.refuses(422, "missing-user-id", "POST", path)
            try site.refuses(422, "missing-anon-user-id", "POST", path, ["anonUserId": ""])
            try site.refuses(422, "invalid-user", "POST", path, ["userId": "nobody"])
            try site.refuses(
                404, "not-found", "POST", path.replacing(id, with: "unknown"), ["userId": "reader-1"])
        }
    }

    // MARK: Blocks

    @Test func authorsAreBlockedAndLetInAgain() throws {
        let site = try Site()
        for person in [Person.author, .reader(1)] { try site.known(person) }
        let id = try site.saved("Hello", ["userId": "author"])
        let other = try site.saved("Other")
        let body: JSONValue = ["commentIdsToCheck": [.string(id), .string(other), "unknown"]]
        let blocked = try site.does("POST", "comments/\(id)/block", ["userId": "reader-1"], body)
        #expect(blocked["commentStatuses", .key(id)] == true && blocked["commentStatuses", .key(other)] == false)
        #expect(blocked["commentStatuses", "unknown"] == false)
        #expect(try site.does("POST", "comments/\(id)/block", ["userId": "reader-1"])["commentStatuses"] == [:])
        let asked = try site.does(
            "POST", "comments/\(id)/un-block", ["userId": "reader-1", "commentIdsToCheck": id])
        #expect(asked["commentStatuses", .key(id)] == false)
        try site.refuses(
            403, "comment-cannot-be-blocked", "POST", "comments/\(other)/block", ["userId": "reader-1"])
        try site.refuses(403, "comment-cannot-be-blocked", "POST", "comments/\(id)/block", ["userId": "author"])
        let many = JSONValue.array((0...1000).map { .string("c\($0)") })
        try site.refuses(
            422, "invalid-input", "POST", "comments/\(id)/block", ["userId": "reader-1"], ["commentIdsToCheck": many])
    }

    // MARK: Deleting

    @Test func whatWasDeletedIsKnown() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        #expect(try site.does("DELETE", "comments/\(id)")["action"] == "hard-removed")
        #expect(try site.does("DELETE", "comments/\(id)")["action"] == "already-deleted")
        try site.refuses(404, "not-found", "GET", "comments/\(id)")
        try site.refuses(404, "not-found", "DELETE", "comments/unknown")
    }

    @Test(arguments: [2, 3] as [Int64]) func theModeBindsWhoIsNamed(_ mode: Int64) throws {
        let site = try Site(["commentThreadDeleteMode": .integer(mode)])
        for person in [Person.author, .reader(1), .moderator] { try site.known(person) }
        let root = try site.saved("Root", ["userId": "author"])
        _ = try site.saved("Reply", ["parentId": .string(root)])
        try site.refuses(403, "unauthorized", "DELETE", "comments/\(root)", ["contextUserId": "reader-1"])
        try site.refuses(403, "not-allowed", "DELETE", "comments/\(root)", ["contextUserId": "author"])
        try site.refuses(422, "invalid-user", "DELETE", "comments/\(root)", ["contextUserId": "nobody"])
        if mode == 2 {
            try site.refuses(403, "not-allowed", "DELETE", "comments/\(root)", ["contextUserId": "moderator"])
        } else {
            try site.does("DELETE", "comments/\(root)", ["contextUserId": "moderator"])
        }
    }
}

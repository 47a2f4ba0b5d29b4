import JSON
import TestSupport
import Testing

/// Who may change and remove what (contract: public 8).
@Suite struct EditAndDeleteTests {
    @Test func nobodyEditsWhatSomebodyElseWrote() throws {
        let site = try Site()
        let id = try site.reader(.author).posted("Hello")
        let other = try site.reader(.reader(1))
        _ = try other.comments()
        for call in [{ try other.edit(id, "New") }, { try other.delete(id) }, { try other.text(id) }] {
            try site.refuses(401, "unauthorized", call)
        }
        let stranger = try site.reader()
        for call in [{ try stranger.edit(id, "New") }, { try stranger.delete(id) }, { try stranger.text(id) }] {
            try site.refuses(401, "not-logged-in", call)
        }
    }

    @Test(arguments: ["unknown", "null", "%27%20OR%201=1%20--", "%20"])
    func whatIsNotThereIsNotFound(_ id: String) throws {
        let site = try Site()
        let admin = try site.reader(.admin)
        _ = try admin.comments()
        for call in [
            { try admin.edit(id, "New") }, { try admin.delete(id) }, { try admin.text(id) }, { try admin.vote(id) },
            { try admin.flag(id) }, { try admin.block(id) }, { try admin.mark(id, "pin") },
            { try admin.mark(id, "lock") }, { try admin.unvote(id, vote: "x") },
        ] {
            try site.refuses(404, "not-found", call)
        }
    }

    @Test func commentsOfAnotherTenantAreNotFound() throws {
        let site = try Site()
        let other = try Site()
        let id = try other.reader(.author).posted("Hello")
        let admin = try site.reader(.admin)
        for call in [
            { try admin.edit(id, "New") }, { try admin.delete(id) }, { try admin.text(id) }, { try admin.vote(id) },
            { try admin.flag(id) }, { try admin.block(id) }, { try admin.mark(id, "pin") },
        ] {
            try other.refuses(404, "not-found", call)
        }
    }

    @Test func theSourceComesBackByteForByte() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let source = "  &lt;script&gt;x&lt;/script&gt; **b** e\u{301}\r\n\n\n\n@x <b>bold</b>  "
        let id = try author.posted(source)
        #expect(Array(try author.text(id)["commentText"]?.string?.utf8 ?? "".utf8) == Array(source.utf8))
        try site.takes { try author.edit(id, source + "!") }
        #expect(Array(try author.text(id)["commentText"]?.string?.utf8 ?? "".utf8) == Array((source + "!").utf8))
    }

    @Test func anEditIsCheckedLikeAPost() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        let path = "/comments/\(site.tenant.id)/\(id)/update-text"
        let query: QueryItems = ["broadcastId": "b", "sso": author.sso]
        for body: JSONValue in [[:], ["comment": nil], ["comment": 5], ["comment": "a", "mentions": "x"]] {
            try site.refuses(400, "invalid-input") { try author.client.request("POST", path, query, body: body) }
        }
        try site.refuses(400, "malformed-json") { try author.client.request("POST", path, query) }
        try site.refuses(422, "empty-comment") { try author.edit(id, " ") }
    }

    @Test func aWrongEditKeyIsUsedUp() throws {
        let site = try Site()
        let guest = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let id = guest["comment", "_id"]?.string ?? ""
        let key: QueryItems = ["editKey": guest["comment", "editKey"]?.string]
        let stranger = try site.reader()
        try site.takes { try stranger.edit(id, "Changed", query: key) }
        #expect(try stranger.text(id, query: key)["commentText"] == "Changed")
        let wrong = try stranger.text(id, query: ["editKey": "wrong"])
        #expect(wrong.status == 401 && wrong.code == "edit-key-invalid")
        for call in [
            { try stranger.text(id, query: key) }, { try stranger.edit(id, "New", query: key) },
            { try stranger.delete(id, query: key) },
        ] {
            try site.refuses(401, "edit-key-invalid", call)
        }
        #expect(try stranger.comments()["comments", 0, "commentHTML"] == "Changed")
    }

    @Test func aKeyOpensItsOwnCommentOnly() throws {
        let site = try Site()
        let guest = try site.reader()
        let first = try site.takes { try guest.post("First", extras: guestExtras) }
        let second = try site.takes { try guest.post("Second", extras: guestExtras) }
        let key: QueryItems = ["editKey": first["comment", "editKey"]?.string]
        let answer = try guest.delete(second["comment", "_id"]?.string ?? "", query: key)
        #expect(answer.status == 401 && answer.code == "edit-key-invalid")
        try site.takes { try guest.delete(first["comment", "_id"]?.string ?? "", query: key) }
    }

    @Test func anAuthorNeedsNoKeyAndAWrongOneDoesNotLockThemOut() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        try site.takes { try author.edit(id, "Changed", query: ["editKey": "left over"]) }
        let guest = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let session: QueryItems = ["sessionId": guest["user", "sessionId"]?.string]
        try site.takes { try site.reader().edit(guest["comment", "_id"]?.string ?? "", "Changed", query: session) }
    }

    @Test func aLockedCommentStaysAsItIs() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let admin = try site.reader(.admin)
        let id = try author.posted("Hello")
        try site.takes { try admin.mark(id, "lock") }
        for reader in [author, admin] {
            let answer = try site.refuses(401, "locked") { try reader.edit(id, "New") }
            #expect(answer["reason"] == "Comment is locked.")
            #expect(answer["translatedError"] != nil)
            try site.refuses(401, "locked") { try reader.delete(id) }
        }
        try site.takes { try author.vote(id) }
        try site.takes { try admin.mark(id, "unlock") }
        try site.takes { try author.edit(id, "New") }
    }

    @Test func deletingTwiceIsNotFound() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        #expect(try site.takes { try author.delete(id) }["hardRemoved"] == true)
        try site.refuses(404, "not-found") { try author.delete(id) }
        try site.refuses(404, "not-found") { try author.edit(id, "New") }
    }

    // MARK: Modes

    /// A root with a reply by somebody else.
    private static func thread(_ mode: Int64) throws -> (site: Site, root: String, reply: String) {
        let site = try Site(["commentThreadDeleteMode": .integer(mode)])
        let root = try site.reader(.author).posted("Root")
        let reply = try site.reader(.reader(1)).posted("Reply", replyingTo: root)
        return (site, root, reply)
    }

    @Test func modeZeroTakesTheRepliesAlong() throws {
        let (site, root, _) = try Self.thread(0)
        let answer = try site.takes { try site.reader(.author).delete(root) }
        #expect(answer["hardRemoved"] == true && answer["comment"] == nil)
        let page = try site.reader().comments(["countAll": "true"])
        #expect(page["comments"] == [] && page["commentCount"] == 0)
    }

    @Test func modeOneLeavesAPlaceholderAboveReplies() throws {
        let (site, root, reply) = try Self.thread(1)
        let author = try site.reader(.author)
        let answer = try site.takes { try author.delete(root) }
        #expect(answer["hardRemoved"] == false)
        #expect(answer["comment", "isDeleted"] == true)
        let page = try site.reader().comments(["direction": "OF", "countAll": "true"])
        #expect(page["comments", 0, "isDeleted"] == true)
        #expect(page["comments", 0, "commentHTML"] == "" && page["comments", 0, "commenterName"] == "")
        #expect(page["comments", 0, "userId"]?.isNull != false)
        #expect(page["comments", 1, "_id"]?.string == reply)
        #expect(page["commentCount"] == 1)
        for call in [
            { try author.delete(root) }, { try author.edit(root, "Back") }, { try author.text(root) },
            { try author.vote(root) },
        ] {
            try site.refuses(404, "not-found", call)
        }
        #expect(try site.takes { try site.reader(.reader(1)).delete(reply) }["hardRemoved"] == true)
    }

    @Test func modeTwoForbidsDeletingAboveReplies() throws {
        let (site, root, reply) = try Self.thread(2)
        _ = try site.reader(.admin).comments()
        for person in [Person.author, .admin] {
            let answer = try site.refuses(403, "not-allowed") { try site.reader(person).delete(root) }
            #expect(answer["translatedError"] != nil)
        }
        try site.takes { try site.reader(.reader(1)).delete(reply) }
        try site.takes { try site.reader(.author).delete(root) }
    }

    @Test func modeThreeLeavesThatToStaff() throws {
        let (site, root, _) = try Self.thread(3)
        try site.refuses(403, "not-allowed") { try site.reader(.author).delete(root) }
        #expect(try site.takes { try site.reader(.moderator).delete(root) }["hardRemoved"] == true)
    }

    @Test func aLockedReplyGoesWithItsParent() throws {
        let (site, root, reply) = try Self.thread(0)
        try site.takes { try site.reader(.admin).mark(reply, "lock") }
        try site.takes { try site.reader(.author).delete(root) }
        #expect(try site.reader().comments()["comments"] == [])
    }
}

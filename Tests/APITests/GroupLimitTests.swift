import JSON
import TestSupport
import Testing

/// Comments of a group are for those who share it, wherever they are named (contract: public 4.4, live 2.5).
@Suite struct GroupLimitTests {
    /// A root of a red person, with a reply of somebody without groups.
    private struct Scene {
        let site: Site
        let red: Reader
        let blue: Reader
        let free: Reader
        let root: String
        let reply: String

        init(_ settings: JSONValue = ["limitCommentsByGroups": true]) throws {
            site = try Site(settings)
            red = try site.known(Person("red").with(["groupIds": ["red"]]))
            blue = try site.known(Person("blue").with(["groupIds": ["blue"]]))
            free = try site.known(Person("free"))
            root = try red.posted("For red")
            reply = try free.posted("Below red", replyingTo: root)
        }
    }

    /// Types of events that a socket got, up to the comment with this text.
    private static func types(_ socket: WebSocketClient, upTo text: String) throws -> [String] {
        var types: [String] = []
        while true {
            let event = try socket.nextJSON()
            let type = event["type"]?.string ?? ""
            if type == "new-comment", event["comment", "comment"]?.string == text { return types }
            if type != "p-u", !type.hasPrefix("notification") { types.append(type) }
        }
    }

    private static func logged(_ reader: Reader) throws -> [String] {
        let answer = try reader.client.request(
            "GET", "/event-log/\(reader.tenant)",
            ["urlId": .some(reader.page), "startTime": "0", "userIdWS": try reader.comments()["userIdWS"]?.string])
        return (answer["events"]?.array ?? []).compactMap { entry in
            entry["data"]?.string.flatMap { try? JSONValue.parse($0) }?["type"]?.string
        }
    }

    @Test func eventsOfHiddenCommentsReachThoseWhoSeeThem() throws {
        let scene = try Scene()
        let (red, blue, free) = (scene.red, scene.blue, scene.free)
        let sockets = try [red, free, blue, scene.site.reader()].map { try $0.live($0.comments()) }
        for comment in [scene.root, scene.reply] {
            let vote = try scene.site.takes { try red.vote(comment) }["voteId"]?.string ?? ""
            try scene.site.takes { try red.unvote(comment, vote: vote) }
        }
        try scene.site.takes { try red.edit(scene.root, "Still for red") }
        try scene.site.takes { try scene.site.reader(.admin).mark(scene.root, "pin") }
        try scene.site.takes { try free.edit(scene.reply, "Still below red") }
        _ = try free.posted("New below red", replyingTo: scene.reply)
        try scene.site.takes { try red.delete(scene.root) }
        _ = try free.posted("For all")
        let votes = ["new-vote", "deleted-vote", "new-vote", "deleted-vote"]
        let changes = ["updated-comment", "updated-comment", "updated-comment", "new-comment"]
        let deletions = ["deleted-comment", "deleted-comment", "deleted-comment"]
        for socket in sockets[0...1] {
            #expect(try Self.types(socket, upTo: "For all") == votes + changes + deletions)
        }
        for socket in sockets[2...] { #expect(try Self.types(socket, upTo: "For all").isEmpty) }
        // The log gives the same to those who were away.
        let member = { (groups: JSONValue) in try scene.site.reader(Person("away").with(["groupIds": groups])) }
        let all = ["new-comment", "new-comment"] + votes + changes + deletions + ["new-comment"]
        #expect(try Self.logged(member(["red"])) == all)
        #expect(try Self.logged(member(["blue"])) == ["new-comment"])
        #expect(try Self.logged(scene.site.reader()) == ["new-comment"])
    }

    @Test func newTotalsOfViewsAreToldToThoseWhoSeeTheComments() throws {
        let scene = try Scene(["limitCommentsByGroups": true, "enableViewCounts": true])
        let shown = try scene.free.posted("For all")
        let sockets = try [scene.blue, scene.red].map { try $0.live($0.comments(["isCrawler": "true"])) }
        _ = try scene.site.reader(.admin).comments()
        #expect(try sockets[0].event("cvc")["changes"]?.object?.members.map(\.name) == [shown])
        var heard: Set<String> = []
        while heard.count < 3 {
            heard.formUnion(try sockets[1].event("cvc")["changes"]?.object?.members.map(\.name) ?? [])
        }
        #expect(heard == [scene.root, scene.reply, shown])
    }

    @Test func whoeverDoesNotSeeACommentIsNotToldOfIt() throws {
        let scene = try Scene()
        let open = try scene.blue.posted("For blue, and @free")
        for reader in [scene.blue, scene.free] { try scene.site.takes { try reader.subscribe() } }
        let root = try scene.red.posted("Another for red, @free")
        try scene.site.settle()
        #expect(try scene.blue.told().isEmpty && scene.blue.bell() == 0)
        #expect(try scene.free.told() == ["7 \(root)", "7 \(open)"])
        // A reply to one's own, below what one does not see.
        #expect(try scene.red.told() == ["0 \(scene.root)"])
    }

    @Test func whatARuleHidesLeavesTheBell() throws {
        let scene = try Scene([:])
        let (site, blue) = (scene.site, scene.blue)
        let own = try blue.posted("Blue below", replyingTo: scene.reply)
        _ = try scene.red.posted("An answer", replyingTo: own)
        try site.takes { try scene.free.vote(own) }
        let root = try blue.posted("Blue root")
        let answer = try scene.free.posted("Answer", replyingTo: root)
        _ = try scene.red.posted("Red answer", replyingTo: root)
        try site.settle()
        #expect(try blue.bell() == 4)
        #expect(try blue.comments(["includeNotificationCount": "true"])["notificationCount"] == 4)
        let hidden = try #require(try blue.notices()["notifications", 0, "_id"]?.string)
        try site.config([["settings": ["limitCommentsByGroups": true]]])
        #expect(try blue.bell() == 1)
        #expect(try blue.comments(["includeNotificationCount": "true"])["notificationCount"] == 1)
        for size in ["1", "20"] {
            let list = try blue.notices(["pageSize": size, "includeContext": "true"])
            #expect(list["notifications"]?.array?.map { $0["fromCommentId"] } == [.string(answer)])
            #expect(list["hasMore"] == false)
        }
        #expect(try blue.notice("/\(hidden)/mark/read")["matchedCount"] == 0)
        try site.config([])
        #expect(try blue.bell() == 4)
    }

    @Test func listsAndCountsOfPagesLeaveThemOut() throws {
        let scene = try Scene(["limitCommentsByGroups": true, "enableFChat": true])
        _ = try scene.blue.posted("For blue")
        let count = { (reader: Reader) in
            try reader.client.request("GET", "/pages/\(reader.tenant)", ["sso": reader.sso])["pages", 0, "commentCount"]
        }
        #expect(try [scene.red, scene.blue, scene.free, scene.site.reader()].map(count) == [2, 1, 3, 0])
        let own: QueryItems = ["userId": "\(scene.site.tenant.id):free"]
        let theirs = { (reader: Reader) in
            try reader.client.request("GET", "/comments-for-user", own + ["sso": reader.sso])["commentCount"]
        }
        #expect(try [scene.red, scene.blue, scene.free].map(theirs) == [1, 0, 1])
    }
}

import JSON
import TestSupport
import Testing

/// A chat in which 500 messages of 10 people arrive as fast as they can send them (contract: live 6): everybody, on
/// sockets and over REST, sees them once and in one order.
@Suite struct ChatBurstTests {
    private static let senders = 10
    private static let each = 50

    /// Everybody sends at the same time.
    private static func burst(_ scene: Scene) throws {
        let readers = try (0..<senders).map { try scene.reader(.reader($0)) }
        // Signed on before, so that the burst is made of messages alone.
        for reader in readers { _ = try reader.comments() }
        let tenant = scene.tenant
        let server = scene.server
        let page = scene.page
        try Crowd.run(senders) { sender in
            let reader = try server.reader(.reader(sender), of: tenant, at: page)
            for number in 1...each { _ = try reader.posted("\(sender)/\(number)") }
        }
    }

    private static func texts(_ comments: [JSONValue]) -> [String] {
        comments.compactMap { $0["commentHTML"]?.string }
    }

    @Test func everybodySeesOneOrderWithoutHoleOrDouble() throws {
        let folder = try Folder(isInMemory: true)
        let scene = try Scene(in: folder)
        let opened = Gathered<Int>()
        let seen = Gathered<[JSONValue]>()
        let (server, tenant, page) = (scene.server, scene.tenant, scene.page)
        let end = Crowd.start(3) { watcher in
            let socket = try server.reader(.reader(100 + watcher), of: tenant, at: page).listen()
            opened.add(watcher)
            var events: [JSONValue] = []
            while events.count < 500 { events.append(try socket.event("new-comment")) }
            seen.add(events)
        }
        try opened.wait(for: 3)
        try Self.burst(scene)
        try end()

        let viewer = try scene.reader(.reader(100))
        let order = Self.texts(try viewer.list("OF"))
        #expect(order.count == 500 && Set(order).count == 500)
        for sender in 0..<Self.senders {
            let own = order.filter { $0.hasPrefix("\(sender)/") }
            #expect(own == (1...Self.each).map { "\(sender)/\($0)" })
        }
        #expect(seen.all.count == 3)
        for events in seen.all {
            #expect(Self.texts(events.compactMap { $0["comment"] }) == order)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.stamp < $1.stamp })
        }
        #expect(Self.texts(try viewer.list("NF")) == order.reversed())
        try Self.checkPages(viewer, order)
        try Self.checkCursors(viewer, order)
        try Self.checkTail(scene, folder, viewer, order)
    }

    /// By page number and by skip and limit, flat and as a tree.
    private static func checkPages(_ viewer: Reader, _ order: [String]) throws {
        for direction in ["OF", "NF"] {
            let wanted = direction == "OF" ? order : order.reversed()
            for isTree in [false, true] {
                let shape: QueryItems = ["direction": direction, "asTree": isTree ? "true" : nil]
                var pages: [String] = []
                var slices: [String] = []
                for number in 0..<17 {
                    pages += texts(try viewer.comments(shape + ["page": "\(number)"])["comments"]?.array ?? [])
                    let slice: QueryItems = ["skip": "\(30 * number)", "limit": "30"]
                    slices += texts(try viewer.comments(shape + slice)["comments"]?.array ?? [])
                }
                #expect(pages == wanted && slices == wanted)
            }
        }
    }

    private static func checkCursors(_ viewer: Reader, _ order: [String]) throws {
        var forward: [String] = []
        var cursor: String?
        while true {
            let start: QueryItems = cursor == nil ? ["skip": "0", "limit": "70"] : ["limit": "70"]
            let answer = try viewer.comments(["direction": "OF", "afterCommentId": cursor] + start)
            let comments = try #require(answer["comments"]?.array)
            forward += texts(comments)
            cursor = comments.last?.id
            if answer["hasMore"] != true { break }
        }
        #expect(forward == order)
        var backward: [String] = []
        let last = try #require(try viewer.comments(["direction": "NF", "limit": "1"])["comments", 0])
        cursor = last.id
        while true {
            let answer = try viewer.comments(["direction": "OF", "beforeCommentId": cursor, "limit": "70"])
            let comments = try #require(answer["comments"]?.array)
            backward = texts(comments) + backward
            cursor = comments.first?.id
            if answer["hasMore"] != true { break }
        }
        #expect(backward + texts([last]) == order)
    }

    /// As the chat screens page, once that is switched on.
    private static func checkTail(
        _ scene: Scene, _ folder: Folder, _ viewer: Reader, _ order: [String]
    ) throws {
        let words = ["chat-paging", "on", "--tenant", scene.tenant.id, "--data", folder.path + "/data"]
        let said = try Command(ParleyProcess.binary(), words, in: folder)
        #expect(said.status == 0, "\(said.errors)")
        for (limit, probe) in [(30, 0), (31, 1)] {
            var shown: [String] = []
            while shown.count < order.count {
                let answer = try viewer.comments([
                    "direction": "OF", "asTree": "true", "skip": "\(shown.count)", "limit": "\(limit)",
                ])
                var block = texts(answer["comments"]?.array ?? [])
                let isLast = answer["hasMore"] == false
                if probe == 1, !isLast {
                    let next = order.count - shown.count - 31
                    #expect(block.popLast() == order[next])
                }
                try #require(!block.isEmpty)
                shown = block + shown
                #expect(isLast == (shown.count == order.count))
            }
            #expect(shown == order)
        }
    }
}

import JSON
import TestSupport
import Testing

extension ThreadScenarioTests {
    @Test func aCascadeTellsOfEveryCommentBeforeTheAnswerComes() throws {
        // Sockets on every loop, very probably; each must have everything at hand once the answer is there.
        let sockets = try (0..<8).map { try scene.reader(.reader($0)).listen() }
        let stays = try bob.posted("An innocent thread")
        let root = try ann.posted("Doomed")
        var parents = [root: ""]
        for branch in 0..<3 {
            var parent = root
            for depth in 0...branch {
                let id = try bob.posted("Branch \(branch), depth \(depth)", replyingTo: parent)
                parents[id] = parent
                parent = id
            }
        }
        for socket in sockets { _ = try socket.settled() }
        #expect(try ann.comments(["countAll": "true"])["commentCount"] == 8)

        let answer = try ann.delete(root, query: ["broadcastId": "Cascade"])
        let heard = try sockets.map { try $0.atHand() }
        #expect(answer.isSuccess)
        #expect(answer["hardRemoved"] == true)
        for events in heard {
            #expect(events.count == parents.count)
            #expect(Set(events.map(\.type)) == ["deleted-comment"])
            let order = events.compactMap(\.subject)
            #expect(Set(order) == Set(parents.keys))
            for (place, id) in order.enumerated() where id != root {
                let parent = order.firstIndex(of: parents[id] ?? "")
                #expect(parent.map { $0 > place } == true, "children go before their parents")
            }
            #expect(order.last == root)
            #expect(events.last?.broadcastID == "Cascade")
            let others = events.dropLast().compactMap(\.broadcastID)
            #expect(Set(others).count == parents.count - 1, "each has an id of its own")
            #expect(!others.contains("Cascade") && !others.contains(""))
            #expect(events.allSatisfy { $0["comment", "comment"] != nil && $0["comment", "parentId"] != nil })
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.stamp + 2 <= $1.stamp })
        }
        #expect(try bob.order("OF") == [stays])
        #expect(try bob.comments(["countAll": "true"])["commentCount"] == 1)
        #expect(try ann.delete(root).status == 404)
        #expect(try bob.text(parents.keys.first { $0 != root } ?? "").status == 404)
    }

    @Test func framesAreAtHandWhenAnyAnswerArrives() throws {
        let sockets = try (0..<6).map { try scene.reader(.reader($0)).listen() }
        // Connections of their own, so that requests come in on every loop.
        for round in 0..<30 {
            let writer = try scene.reader(.ann)
            let id = try writer.posted("Round \(round)")
            for socket in sockets { #expect(try socket.atHand().map(\.brief) == ["new-comment \(id)"]) }
            _ = try writer.voted(id)
            for socket in sockets { #expect(try socket.atHand().map(\.brief) == ["new-vote \(id)"]) }
        }
    }

    @Test func aLeafGoesAloneAndAMiddleTakesWhatIsBelow() throws {
        let root = try ann.posted("Root")
        let middle = try bob.posted("Middle", replyingTo: root)
        let leaf = try ann.posted("Leaf", replyingTo: middle)
        let sibling = try ann.posted("Sibling", replyingTo: root)
        #expect(try bob.delete(leaf).status == 401, "somebody else wrote it")
        let live = try bob.listen()
        #expect(try ann.delete(leaf).isSuccess)
        #expect(try live.settled().map(\.brief) == ["deleted-comment \(leaf)"])
        let second = try ann.posted("Leaf again", replyingTo: middle)
        #expect(try bob.delete(middle).isSuccess, "an author may delete in spite of replies")
        #expect(
            try live.settled().map(\.brief).suffix(2) == ["deleted-comment \(second)", "deleted-comment \(middle)"])
        let tree = try ann.comments([
            "asTree": "true", "countChildren": "true", "countAll": "true", "maxTreeDepth": "1",
        ])
        #expect(tree["commentCount"] == 2)
        #expect(tree["comments", 0, "childCount"] == 1)
        #expect(tree["comments", 0, "children", 0, "_id"]?.string == sibling)
        #expect(try admin.delete(root).isSuccess)
        #expect(try ann.list().isEmpty)
    }

    @Test func countsEqualListsWhileManyWriteAndDelete() throws {
        let scene = scene
        try Crowd.run(6) { thread in
            let writer = try scene.reader(.reader(thread))
            var roots: [String] = []
            for number in 0..<8 {
                let root = try writer.posted("Root \(thread) \(number)")
                _ = try writer.posted("Reply \(thread) \(number)", replyingTo: root)
                roots.append(root)
                if number.isMultiple(of: 3) { #expect(try writer.delete(roots.removeFirst()).isSuccess) }
            }
        }
        let list = try ann.list()
        let roots = list.filter { $0["parentId"] ?? .null == .null }
        #expect(list.count == 60)
        #expect(roots.count == 30)
        #expect(try ann.comments(["countAll": "true"])["commentCount"] == 60)
        #expect(try ann.comments()["commentCount"] == 30)
        let tree = try ann.comments(["asTree": "true", "countChildren": "true", "limit": "999999"])
        #expect(tree["comments"]?.array?.allSatisfy { $0["childCount"] == 1 } == true)
        #expect(tree["comments"]?.array?.count == 30)
    }
}

import JSON
import TestSupport
import Testing

extension ThreadScenarioTests {
    private func position(_ before: String?, _ after: String?) -> JSONValue {
        ["before": before.map { .string($0) } ?? .null, "after": after.map { .string($0) } ?? .null]
    }

    @Test func pinnedCommentsComeFirstInEveryOrder() throws {
        let live = try bob.listen()
        let ids = try (0..<3).map { try ann.posted("Comment \($0)") }
        _ = try live.settled()
        let answer = try admin.client.request(
            "POST", "/comments/\(scene.tenant.id)/\(ids[1])/pin", ["broadcastId": "pin-1", "sso": admin.sso])
        let positions: JSONValue = [
            "OF": position(nil, ids[0]), "NF": position(nil, ids[2]), "MR": position(nil, ids[2]),
        ]
        for direction in ["OF", "NF", "MR"] {
            let key = JSONStep.key(direction)
            #expect(answer["commentPositions", key] == positions[key])
        }
        let event = try #require(try live.settled().first)
        #expect(event.brief == "updated-comment \(ids[1])")
        #expect(event.broadcastID == "pin-1")
        #expect(event["comment", "isPinned"] == true)
        for direction in ["OF", "NF", "MR"] {
            let key = JSONStep.key(direction)
            #expect(event["extraInfo", "commentPositions", key] == positions[key])
        }
        #expect(try bob.comment(ids[1])?["isPinned"] == true)
        #expect(try bob.order("OF") == [ids[1], ids[0], ids[2]])
        #expect(try bob.order("NF") == [ids[1], ids[2], ids[0]])
        #expect(try bob.order("MR") == [ids[1], ids[2], ids[0]])

        #expect(try admin.mark(ids[0], "pin").isSuccess)
        #expect(try bob.order("OF") == [ids[0], ids[1], ids[2]], "the newest pin is on top")
        #expect(try admin.mark(ids[0], "pin").isSuccess, "a second time changes nothing")
        #expect(try live.settled().count == 1)
        let undone = try admin.mark(ids[1], "unpin")
        #expect(undone["commentPositions", "OF"] == position(ids[0], ids[2]))
        #expect(undone["commentPositions", "NF"] == position(ids[2], nil))
        let unpinned = try live.settled()
        #expect(unpinned.map(\.brief) == ["updated-comment \(ids[1])"])
        #expect(unpinned.first?["comment", "isPinned"] ?? false == false)
        #expect(try bob.comment(ids[1])?["isPinned"] ?? false == false)
        #expect(try bob.order("NF") == [ids[0], ids[2], ids[1]])
    }

    @Test func nobodyTouchesALockedCommentUntilItIsUnlocked() throws {
        let live = try bob.listen()
        let id = try ann.posted("Closed case")
        let reply = try bob.posted("An early reply", replyingTo: id)
        #expect(try admin.mark(id, "lock").isSuccess)
        #expect(try live.settled().last?["comment", "isLocked"] == true)
        #expect(try bob.comment(id)?["isLocked"] == true)
        for person in [ann, bob, admin] {
            for answer in [
                try person.post("Late", replyingTo: id), try person.post("Late", replyingTo: reply),
            ] {
                #expect(answer.status == 401)
                #expect(answer.code == "locked")
                #expect(answer["translatedError"]?.string?.isEmpty == false)
            }
        }
        for person in [ann, admin] {
            #expect(try person.edit(id, "Changed").code == "locked")
            #expect(try person.delete(id).code == "locked")
        }
        #expect(try live.settled().isEmpty)
        _ = try bob.voted(id)
        #expect(try bob.comment(id)?["votesUp"] == 1, "votes still count")
        #expect(try bob.edit(reply, "Still mine to change").isSuccess)
        #expect(try admin.mark(id, "unlock").isSuccess)
        #expect(try live.settled().last?["comment", "isLocked"] ?? false == false)
        #expect(try bob.post("At last", replyingTo: id).isSuccess)
        #expect(try ann.edit(id, "Changed").isSuccess)
        #expect(try ann.delete(id).isSuccess)
    }

    @Test(arguments: ["pin", "unpin", "lock", "unlock"])
    func onlyStaffMayUse(_ verb: String) throws {
        let live = try bob.listen()
        let id = try ann.posted("Mine")
        for (person, code) in [(ann, "unauthorized"), (bob, "unauthorized"), (ann.signedOn(nil), "not-logged-in")] {
            let answer = try person.mark(id, verb)
            #expect(answer.status == 401)
            #expect(answer.code == code)
        }
        #expect(try live.settled().map(\.type) == ["new-comment"])
        #expect(try bob.comment(id)?["isPinned"] ?? false == false)
        #expect(try bob.comment(id)?["isLocked"] ?? false == false)
    }

    @Test func aFlagIsSeenByWhoSetItOnly() throws {
        let live = try ann.listen()
        let id = try ann.posted("Flag me")
        #expect(try bob.flag(id).isSuccess)
        #expect(try bob.flag(id).isSuccess)
        #expect(try bob.comment(id)?["isFlagged"] == true)
        #expect(try ann.comment(id)?["isFlagged"] ?? false == false)
        #expect(try ann.flag(id).isSuccess, "one's own too")
        #expect(try bob.flag(id, false).isSuccess)
        #expect(try bob.comment(id)?["isFlagged"] ?? false == false)
        #expect(try ann.comment(id)?["isFlagged"] == true)
        #expect(try scene.reader(nil).flag(id).status == 401)
        #expect(try live.settled().map(\.type) == ["new-comment"], "nobody else hears of flags")
    }

    @Test func aBlockCoversAllOfAnAuthorForOneViewer() throws {
        let carol = try scene.reader(.carol)
        let anns = [try ann.posted("Ann 1"), try ann.on("other-page").posted("Ann 2")]
        let (bobs, carols) = (try bob.posted("Bob"), try carol.posted("Carol"))
        let all = anns + [bobs, carols]
        let states = { (answer: Answer) in all.map { answer["commentStatuses", .key($0)]?.bool } }
        #expect(try states(bob.block(carols, known: all)) == [false, false, false, true])
        #expect(try states(bob.block(anns[0], known: all)) == [true, true, false, true])
        let read = try bob.comments(["direction": "OF"])
        #expect(read["user", "hasBlockedUsers"] == true)
        #expect(read["comments"]?.array?.map { $0["isBlocked"]?.bool ?? false } == [true, false, true])
        #expect(read["comments", 0, "commentHTML"] == "Ann 1")
        #expect(try ann.comments()["comments"]?.array?.contains { $0["isBlocked"]?.bool == true } == false)

        let ids = "undefined,\(anns[1]),\(bobs)"
        let query: QueryItems = ["tenantId": scene.tenant.id, "commentIds": ids, "sso": bob.sso]
        let check = try bob.client.request("GET", "/check-blocked-comments", query)
        #expect(check["commentStatuses", "undefined"] == false)
        #expect(check["commentStatuses", .key(anns[1])] == true)
        #expect(check["commentStatuses", .key(bobs)] == false)
        let nobody = try bob.client.request(
            "GET", "/check-blocked-comments", ["tenantId": scene.tenant.id, "commentIds": ids])
        #expect(nobody["commentStatuses", .key(anns[1])] == false)

        #expect(try states(bob.block(anns[1], false, known: all)) == [false, false, false, true])
        #expect(try bob.comment(anns[0])?["isBlocked"] ?? false == false)
        #expect(try states(bob.block(anns[1], false, known: all)) == [false, false, false, true])
        #expect(try bob.block(bobs).code == "comment-cannot-be-blocked")
        #expect(try scene.reader(nil).block(bobs).status == 401)
    }

    @Test func aSearchForPeopleLeavesTheSearcherOut() throws {
        let carol = try scene.reader(.carol)
        for person in [ann, bob, carol] { _ = try person.posted("I was here") }
        let search = { (prefix: String, section: String?) in
            let query: QueryItems = [
                "urlId": ann.page, "usernameStartsWith": prefix, "searchSection": section, "sso": ann.sso,
            ]
            return try ann.client.request("GET", "/user-search/\(scene.tenant.id)", query)
        }
        let names = { (answer: Answer) in answer["users"]?.array?.compactMap { $0["name"]?.string }.sorted() }
        #expect(try names(search("Tester", nil)) == ["Tester Bob", "Tester Carol"])
        #expect(try names(search("tester c", nil)) == ["Tester Carol"])
        #expect(try names(search("Nobody", nil)) == [])
        #expect(try names(search("", nil)) == ["Tester Bob", "Tester Carol"])
        let found = try search("Tester B", nil)
        #expect(found["users", 0, "id"]?.string == scene.wireID(.bob))
        #expect(found["users", 0, "type"] == "sso")
        let sections = try search("Tester", "fast")["sections"]?.array ?? []
        #expect(sections.compactMap { $0["section"]?.string } == ["moderators", "onThisPage"])
    }
}

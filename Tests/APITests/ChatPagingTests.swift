import JSON
import TestSupport
import Testing

/// Pages of chats, counted from the newest message (contract: live 6).
@Suite struct ChatPagingTests {
    /// A page of so many roots, `1` the oldest.
    private static func site(_ count: Int, _ settings: JSONValue = [:]) throws -> Site {
        let comments = (1...count).map { number -> JSONValue in ["name": "G", "comment": .string("\(number)")] }
        return try Site(settings, pages: [["urlId": "page", "comments": .array(comments)]])
    }

    private static func set(_ site: Site, _ isOn: Bool) throws {
        try site.execute("UPDATE tenant SET chat_paging = \(isOn ? 1 : 0) WHERE id = '\(site.tenant.id)'")
    }

    private static func numbers(_ answer: Answer) -> [Int] {
        (answer["comments"]?.array ?? []).compactMap { $0["commentHTML"]?.string.flatMap { Int($0) } }
    }

    private static func tree(_ reader: Reader, _ query: QueryItems) throws -> Answer {
        try reader.comments(["direction": "OF", "asTree": "true"] + query)
    }

    @Test func itIsOffUnlessSwitchedOn() throws {
        let site = try Self.site(40)
        let reader = try site.reader()
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "31"])) == Array(1...31))
        try Self.set(site, true)
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "30"])) == Array(11...40))
        try site.execute("UPDATE page SET chat_paging = 0 WHERE tenant_id = '\(site.tenant.id)'")
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "30"])) == Array(1...30))
        try Self.set(site, false)
        try site.execute("UPDATE page SET chat_paging = 1 WHERE tenant_id = '\(site.tenant.id)'")
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "30"])) == Array(11...40))
    }

    @Test func otherOrdersAndShapesStayAsTheyAre() throws {
        let site = try Self.site(40)
        try Self.set(site, true)
        let reader = try site.reader()
        #expect(Self.numbers(try reader.comments(["direction": "OF", "skip": "0", "limit": "31"])) == Array(1...31))
        let newest = try reader.comments(["direction": "NF", "asTree": "true", "skip": "0", "limit": "31"])
        #expect(Self.numbers(newest) == Array((10...40).reversed()))
        #expect(Self.numbers(try Self.tree(reader, ["page": "-1"])) == Array(1...40))
    }

    @Test func theClientThatAsksForOneMoreGetsTheNextOlderOneLast() throws {
        let site = try Self.site(75)
        try Self.set(site, true)
        let reader = try site.reader()
        let first = try Self.tree(reader, ["skip": "0", "limit": "31", "countAll": "true", "includeConfig": "true"])
        #expect(Self.numbers(first) == Array(46...75) + [45] && first["hasMore"] == true)
        #expect(first["commentCount"] == 75)
        #expect(first["customConfig"]?.object?.members.isEmpty == true)
        let second = try Self.tree(reader, ["skip": "30", "limit": "31", "maxTreeDepth": "0"])
        #expect(Self.numbers(second) == Array(16...45) + [15] && second["hasMore"] == true)
        let third = try Self.tree(reader, ["skip": "60", "limit": "31", "maxTreeDepth": "0"])
        #expect(Self.numbers(third) == Array(1...15) && third["hasMore"] == false)
        let end = try Self.tree(reader, ["skip": "75", "limit": "31"])
        #expect(Self.numbers(end) == [] && end["hasMore"] == false)
        #expect(Self.numbers(try Self.tree(reader, ["skip": "74", "limit": "31"])) == [1])
        #expect(Self.numbers(try Self.tree(reader, ["skip": "44", "limit": "31"])) == Array(2...31) + [1])
        #expect(Self.numbers(try Self.tree(reader, ["skip": "45", "limit": "31"])) == Array(1...30))
    }

    @Test func onePastThePageSizeIsAProbeAndNothingElse() throws {
        let site = try Self.site(30, ["pageSize": 10])
        try Self.set(site, true)
        let reader = try site.reader()
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "11"])) == Array(21...30) + [20])
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "10"])) == Array(21...30))
        #expect(Self.numbers(try Self.tree(reader, ["skip": "0", "limit": "12"])) == Array(19...30))
        #expect(Self.numbers(try Self.tree(reader, ["page": "1"])) == Array(11...20))
        let last = try Self.tree(reader, ["page": "2"])
        #expect(Self.numbers(last) == Array(1...10) && last["hasMore"] == false && last["pageNumber"] == 2)
        #expect(Self.numbers(try Self.tree(reader, ["page": "3"])) == [])
    }

    @Test func aPinnedMessageStaysWhereItWasSaid() throws {
        let site = try Self.site(35)
        try Self.set(site, true)
        let admin = try site.reader(.admin)
        let oldest = try #require(try Self.tree(admin, ["page": "1"])["comments", 0, "_id"]?.string)
        try site.takes { try admin.mark(oldest, "pin") }
        #expect(Self.numbers(try Self.tree(admin, ["page": "0"])) == Array(6...35))
        let older = try Self.tree(admin, ["page": "1"])
        #expect(Self.numbers(older) == Array(1...5) && older["comments", 0, "isPinned"] == true)
    }

    @Test func aSkipThatCountsWhatArrivedMeetsNoHole() throws {
        let site = try Self.site(65)
        try Self.set(site, true)
        let author = try site.reader(.author)
        var shown = Self.numbers(try Self.tree(author, ["skip": "0", "limit": "30"]))
        for number in 66...70 {
            _ = try author.posted("\(number)")
            shown.append(number)
        }
        while true {
            let older = try Self.tree(author, ["skip": "\(shown.count)", "limit": "30"])
            shown = Self.numbers(older) + shown
            if older["hasMore"] == false { break }
        }
        #expect(shown == Array(1...70))
    }

    // MARK: Cursors

    @Test(arguments: ["OF", "NF"])
    func cursorsAreStrictAndSurviveTheirComment(_ direction: String) throws {
        let site = try Site()
        let author = try site.reader(.author)
        var ids: [String] = []
        for number in 1...9 { ids.append(try author.posted("\(number)")) }
        if direction == "NF" { ids.reverse() }
        let read = { (query: QueryItems) throws -> [String] in
            let answer = try author.comments(["direction": direction, "asTree": "true", "limit": "3"] + query)
            let found = (answer["comments"]?.array ?? []).compactMap { $0["_id"]?.string }
            return found + [answer["hasMore"] == true ? "more" : "end"]
        }
        #expect(try read(["afterCommentId": ids[2]]) == Array(ids[3...5]) + ["more"])
        #expect(try read(["afterCommentId": ids[5]]) == Array(ids[6...8]) + ["end"])
        #expect(try read(["afterCommentId": ids[8]]) == ["end"])
        #expect(try read(["beforeCommentId": ids[5]]) == Array(ids[2...4]) + ["more"])
        #expect(try read(["beforeCommentId": ids[3]]) == Array(ids[0...2]) + ["end"])
        #expect(try read(["beforeCommentId": ids[0]]) == ["end"])
        for id in [ids[3], ids[8]] { try site.takes { try author.delete(id) } }
        #expect(try read(["afterCommentId": ids[3]]) == Array(ids[4...6]) + ["more"])
        #expect(try read(["beforeCommentId": ids[3]]) == Array(ids[0...2]) + ["end"])
        #expect(try read(["afterCommentId": ids[8]]) == ["end"])
        #expect(try read(["beforeCommentId": ids[8]]) == Array(ids[5...7]) + ["more"])
        for query: QueryItems in [
            ["afterCommentId": "nonsense"], ["beforeCommentId": "nonsense"],
            ["afterCommentId": ids[0], "beforeCommentId": ids[2]],
        ] {
            try site.refuses(400, "invalid-input") { try author.comments(query) }
        }
    }

    @Test(arguments: [["direction": "OF"], ["direction": "NF"], ["asTree": "true", "direction": "MR"]])
    func aWalkBeginsAnewWhereNobodyKnowsThePlaceOfItsComment(_ query: [String: String]) throws {
        let site = try Site()
        let author = try site.reader(.author)
        for number in 1...4 { _ = try author.posted("\(number)") }
        var shape: QueryItems = ["limit": "3"]
        for (name, value) in query { shape.append(name, value) }
        let read = { (query: QueryItems) in
            try author.comments(shape + query)["comments"]?.array?.compactMap { $0["_id"]?.string } ?? []
        }
        let ids = try read(["limit": "10", "skip": "0"])
        let first = try read([:])
        let gone = first[1]
        try site.takes { try author.delete(gone) }
        let rest = try read([:])
        #expect(ids.count == 3 && rest.count == 3)
        #expect(try read(["afterCommentId": gone]) == rest)
        #expect(try read(["beforeCommentId": gone]) == rest)
        #expect(try read(["afterCommentId": rest[0]]) == Array(rest[1...]))
    }
}

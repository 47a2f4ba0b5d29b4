import JSON
import TestSupport
import Testing

/// The operations of the bell: parameters, identity, marks and pages of the list (contract: public 13).
@Suite struct NoticeRouteTests {
    /// Every operation, as a call that would be taken from somebody known.
    private static let calls: [(String, String, QueryItems)] = [
        ("GET", "", [:]), ("GET", "/get-count", [:]), ("POST", "/reset", [:]), ("POST", "/reset-count", [:]),
        ("POST", "/000000000000000000000000/mark/read", [:]),
        ("POST", "/000000000000000000000000/mark-opted/out", ["commentId": "000000000000000000000000"]),
        ("POST", "/set-subscription-state/subscribe", ["urlId": "page", "url": "", "pageTitle": ""]),
    ]

    @Test(arguments: 0..<7)
    func everyOperationNeedsSomebodyAndATenant(_ index: Int) throws {
        let site = try Site()
        let (method, path, query) = Self.calls[index]
        let client = try site.client()
        let call = { (tenant: String?, sso: String?) in
            try client.request(method, "/user-notifications" + path, ["tenantId": tenant, "sso": sso] + query)
        }
        try site.refuses(401, "not-logged-in") { try call(site.tenant.id, nil) }
        try site.refuses(404, "invalid-tenant") { try call("unknown", nil) }
        try site.refuses(404, "invalid-tenant") { try call(nil, nil) }
        let other = try Site()
        try site.refuses(401, "malformed-sso") { try call(site.tenant.id, other.token(.author)) }
        let known = try site.known(.author)
        try site.takes { try call(site.tenant.id, known.sso) }
    }

    @Test func parametersAreChecked() throws {
        let site = try Site()
        let reader = try site.known(.author)
        for (name, value) in [
            ("pageSize", "0"), ("pageSize", "-1"), ("pageSize", "x"), ("afterCreatedAt", "x"), ("afterId", "x"),
            ("afterId", "zzzzzzzzzzzzzzzzzzzzzzzz"), ("unreadOnly", "maybe"), ("dmOnly", "2"), ("noDm", "x"),
            ("includeContext", "x"), ("includeTranslations", "x"), ("includeTenantNotifications", "x"),
        ] as [(String, String)] {
            try site.refuses(400, "invalid-input") { try reader.notices([name: value]) }
        }
        for name in ["afterCreatedAt", "afterId", "unreadOnly", "dmOnly", "noDm"] {
            try site.refuses(400, "invalid-input") { try reader.notice("/reset", [name: "x"]) }
        }
        let id = "000000000000000000000000"
        for path in ["/\(id)/mark/seen", "/\(id)/mark/READ"] {
            try site.refuses(422, "invalid-input") { try reader.notice(path) }
        }
        try site.refuses(422, "invalid-input") { try reader.notice("/\(id)/mark-opted/off", ["commentId": id]) }
        try site.refuses(400, "invalid-input") { try reader.notice("/\(id)/mark-opted/out") }
        try site.refuses(422, "invalid-input") {
            try reader.notice("/set-subscription-state/follow", ["urlId": "page", "url": "", "pageTitle": ""])
        }
        try site.refuses(422, "missing-url-id") { try reader.subscribe(query: ["url": "", "pageTitle": ""]) }
        try site.refuses(422, "missing-url-id") {
            try reader.subscribe(query: ["urlId": "null", "url": "", "pageTitle": ""])
        }
        try site.refuses(400, "invalid-input") { try reader.subscribe(query: ["urlId": "page", "url": ""]) }
        try site.refuses(400, "invalid-input") { try reader.subscribe(query: ["urlId": "page", "pageTitle": ""]) }
    }

    /// Somebody with a comment that was answered so often, each time by the same other person.
    private static func answered(_ count: Int) throws -> (site: Site, owner: Reader, ids: [String]) {
        let site = try Site()
        let owner = try site.reader(.author)
        let root = try owner.posted("Hello")
        let other = try site.reader(.reader(1))
        for number in 0..<count { _ = try other.posted("Answer \(number)", replyingTo: root) }
        try site.settle()
        let list = try owner.notices(["pageSize": "100"])
        return (site, owner, list["notifications"]?.array?.compactMap { $0["_id"]?.string } ?? [])
    }

    @Test func aListHasTwentyAtFirstAndOneHundredAtMost() throws {
        let (_, owner, newest) = try Self.answered(101)
        let ids = { (query: QueryItems) in
            let answer = try owner.notices(query)
            return (answer["notifications"]?.array?.compactMap { $0["_id"]?.string } ?? [], answer["hasMore"])
        }
        #expect(try ids([:]) == (Array(newest.prefix(20)), true))
        #expect(try ids(["pageSize": "1"]) == (Array(newest.prefix(1)), true))
        #expect(try ids(["pageSize": "100"]) == (newest, true))
        #expect(try ids(["pageSize": "101"]) == (newest, true))
        let last = try #require(newest.last)
        let (rest, hasMore) = try ids(["afterId": last, "pageSize": "100"])
        #expect(rest.count == 1 && hasMore == false)
        #expect(newest == newest.sorted(by: >), "newest first")
    }

    @Test func pagesHaveNoHoleAndNothingTwice() throws {
        let (site, owner, newest) = try Self.answered(25)
        var byID: [String] = []
        var byBoth: [String] = []
        while true {
            let page = try owner.notices(["pageSize": "4", "afterId": byID.last])["notifications"]?.array ?? []
            byID += page.compactMap { $0["_id"]?.string }
            if page.count < 4 { break }
        }
        #expect(byID == newest)
        var after: Int64?
        while true {
            let query: QueryItems = [
                "pageSize": "5", "afterId": byBoth.last, "afterCreatedAt": after.map(String.init),
            ]
            let answer = try owner.notices(query)
            let page = answer["notifications"]?.array ?? []
            byBoth += page.compactMap { $0["_id"]?.string }
            after = try site.number(
                "SELECT created_at FROM notice WHERE tenant_id = ?1 AND id = '\(byBoth.last ?? "")'")
            if answer["hasMore"] == false { break }
        }
        #expect(byBoth == newest)
        #expect(try owner.told(["afterCreatedAt": "0"]).isEmpty)
        // The place of a notice that is gone meanwhile is in its id.
        let gone: QueryItems = ["pageSize": "100", "afterId": String(newest[3].prefix(12)) + "ffffffffffff"]
        let rest = try owner.notices(gone)["notifications"]?.array?.compactMap { $0["_id"]?.string }
        #expect(rest?.suffix(22) == newest[3...])
    }

    @Test func marksAreTextsAndTheBellCountsWhatIsNew() throws {
        let (_, owner, ids) = try Self.answered(3)
        #expect(try owner.bell() == 3)
        #expect(try owner.comments(["includeNotificationCount": "true"])["notificationCount"] == 3)
        #expect(try owner.comments()["notificationCount"] == nil)
        let write = { (path: String) in
            let answer = try owner.notice(path)
            return [answer["matchedCount"], answer["modifiedCount"]]
        }
        #expect(try write("/\(ids[1])/mark/read") == [1, 1])
        #expect(try write("/\(ids[1])/mark/read") == [1, 0])
        #expect(try owner.notices()["notifications", 1, "viewed"] == "true")
        #expect(try owner.notices()["notifications", 0, "viewed"] == "")
        #expect(try owner.notices()["notifications", 0, "sent"] == "")
        #expect(try owner.bell() == 2)
        #expect(try owner.told(["unreadOnly": "true"]).count == 2)
        #expect(try write("/\(ids[1])/mark/unread") == [1, 1])
        #expect(try owner.bell() == 3)
        // The number goes, what is unread stays.
        #expect(try owner.notice("/reset-count").isSuccess)
        #expect(try owner.bell() == 0)
        #expect(try owner.told(["unreadOnly": "true"]).count == 3)
        #expect(try owner.notice("/reset-count").isSuccess)
        #expect(try write("/\(ids[2])/mark/unread") == [1, 0])
        #expect(try owner.notice("/reset", ["afterId": ids[0]]).isSuccess)
        #expect(try owner.told(["unreadOnly": "true"]).count == 1)
        #expect(try owner.notice("/reset", ["dmOnly": "true"]).isSuccess)
        #expect(try owner.told(["unreadOnly": "true"]).count == 1)
        #expect(try owner.notice("/reset", ["noDm": "true"]).isSuccess)
        #expect(try owner.told(["unreadOnly": "true"]).isEmpty)
        #expect(try owner.told().count == 3)
        #expect(try owner.told(["dmOnly": "true"]).isEmpty)
        #expect(try owner.told(["noDm": "true", "includeTenantNotifications": "true"]).count == 3)
    }

    @Test func theLabelsComeAlongInTheReadersLanguage() throws {
        let site = try Site()
        let reader = try site.known(.author)
        #expect(try reader.notices()["translations"] == nil)
        let labels = { (locale: String?) in
            let answer = try reader.notices(["includeTranslations": "true", "locale": locale])
            return answer["translations", "NOTIFICATION_MENTION"]
        }
        let (english, german) = (try labels(nil)?.string, try labels("de_de")?.string)
        #expect(english != nil && german != nil && english != german)
    }

    @Test func whatBelongsToOthersIsNotMet() throws {
        let (site, owner, ids) = try Self.answered(1)
        let other = try site.known(.admin)
        let stranger = try Site().known(.author)
        for reader in [other, stranger] {
            for path in ["/\(ids[0])/mark/read", "/unknown/mark/read"] {
                let answer = try reader.notice(path)
                #expect(answer.isSuccess && answer["matchedCount"] == 0 && answer["modifiedCount"] == 0)
            }
            let answer = try reader.notice("/\(ids[0])/mark-opted/out", ["commentId": ids[0]])
            #expect(answer.isSuccess && answer["matchedCount"] == 0)
            #expect(try reader.notice("/reset").isSuccess)
            #expect(try reader.notice("/reset-count").isSuccess)
            #expect(try reader.told(["afterId": ids[0]]).isEmpty)
        }
        #expect(try owner.bell() == 1)
        #expect(try owner.notices()["notifications", 0, "viewed"] == "")
        #expect(try owner.notices()["notifications", 0, "optedOut"] == false)
    }

    @Test func aPageIsSubscribedToOnce() throws {
        let site = try Site()
        let reader = try site.known(.author, at: "new page")
        let write = { (subscribes: Bool) in
            let answer = try reader.subscribe(subscribes)
            return [answer["matchedCount"], answer["modifiedCount"]]
        }
        let isSubscribed = { (page: String?) in try reader.notices(["urlId": page])["isSubscribed"] }
        #expect(try isSubscribed("new page") == false)
        #expect(try write(true) == [1, 1])
        #expect(try write(true) == [1, 0])
        #expect(try isSubscribed("new page") == true)
        #expect(try isSubscribed("other") == false)
        #expect(try isSubscribed(nil) == false)
        #expect(try isSubscribed("null") == false)
        #expect(try site.known(.reader(1)).notices(["urlId": "new page"])["isSubscribed"] == false)
        #expect(try site.number("SELECT COUNT(*) FROM subscription WHERE tenant_id = ?1") == 1)
        #expect(try write(false) == [1, 1])
        #expect(try write(false) == [0, 0])
        #expect(try isSubscribed("new page") == false)
    }

    @Test func aPageThatMayNotBeReadIsNotSubscribedTo() throws {
        let site = try Site(pages: [["urlId": "page", "url": "https://example.com", "groupIds": ["staff"]]])
        let outsider = try site.known(Person.reader(1).with(["groupIds": ["other"]]), at: "open")
        try site.refuses(403, "unauthorized-page") { try outsider.on("page").subscribe() }
        let member = try site.known(Person.reader(2).with(["groupIds": ["staff"]]), at: "open")
        try site.takes { try member.on("page").subscribe() }
    }
}

import JSON
import TestSupport
import Testing

/// What makes a comment, and what does not (contract: public 6).
@Suite struct CreateCommentTests {
    // MARK: Bodies

    @Test(arguments: [
        "", "{", "[]", "null", "\"x\"", "{\"comment\":}", "{\"comment\":\"a\"", "{\"comment\":\"a\"}x",
        String(repeating: "[", count: 100_000),
    ])
    func whatIsNoJSONObjectIsMalformed(_ body: String) throws {
        let site = try Site()
        try site.refuses(400, "malformed-json") { try Self.send(Array(body.utf8), to: site) }
    }

    @Test func aBodyThatIsNoUTF8IsMalformed() throws {
        let site = try Site()
        let body = Array("{\"comment\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        try site.refuses(400, "malformed-json") { try Self.send(body, to: site) }
    }

    @Test(
        arguments: [
            ["comment": 5], ["comment": nil], ["comment": ["a"]], [:], ["comment": "a", "commenterName": 5],
            ["comment": "a", "commenterEmail": false], ["comment": "a", "parentId": 7], ["comment": "a", "url": [1]],
            ["comment": "a", "mentions": "x"], ["comment": "a", "mentions": ["x"]], ["comment": "a", "hashTags": [:]],
            ["comment": "a", "rating": "five"], ["comment": "a", "feedbackIds": [1]],
            ["comment": "a", "pageTitle": true],
        ] as [JSONValue])
    func wrongTypesAndMissingMembersAreInvalid(_ body: JSONValue) throws {
        let site = try Site()
        try site.refuses(400, "invalid-input") { try Self.send(body.jsonBytes(), to: site) }
    }

    @Test func nullIsAbsentAndUnknownMembersAreIgnored() throws {
        let site = try Site()
        let body: JSONValue = [
            "comment": "Hello", "commenterName": nil, "parentId": nil, "mentions": nil, "hashTags": nil, "meta": nil,
            "url": nil, "date": "any", "unheardOf": ["deep": [1, 2]], "botId": 7,
        ]
        let answer = try site.takes {
            try Self.send(body.jsonBytes(), to: site, sso: site.token(.author))
        }
        #expect(answer["comment", "commenterName"] == "author")
    }

    @Test func aBodyMayHaveAMegabyte() throws {
        let site = try Site(["maxCommentCharacterLength": 100_000])
        let limit = 1 << 20
        let start = "{\"comment\":\"Hello\",\"x\":\""
        let pad = { (count: Int) in
            Array(start.utf8) + Array(repeating: 0x61, count: count - start.utf8.count - 2) + Array("\"}".utf8)
        }
        let sso = site.token(.author)
        try site.takes { try Self.send(pad(limit), to: site, sso: sso) }
        let answer = try site.refuses(413, "file-too-big") { try Self.send(pad(limit + 1), to: site, sso: sso) }
        #expect(answer["status"] == "failed")
    }

    // MARK: Pages and ids

    @Test(arguments: [nil, "", " ", "\t \n", "null", "undefined"])
    func aPageNeedsAName(_ page: String?) throws {
        let site = try Site()
        let author = try site.reader(.author)
        _ = try author.comments()
        let query: QueryItems = ["urlId": page, "sso": author.sso]
        try site.refuses(422, "missing-url-id") {
            try author.client.request("GET", "/comments/\(site.tenant.id)", query)
        }
        try site.refuses(422, "missing-url-id") {
            try author.client.request("POST", "/comments/\(site.tenant.id)", query, body: ["comment": "Hello"])
        }
    }

    @Test func addressesThatDifferByTrackingAreOnePage() throws {
        let site = try Site()
        let author = try site.reader(.author, at: "https://h.example/july-2019/?fbclid=IwAR1s&b=2&a=1")
        let id = try author.posted("Hello")
        let page = try author.on("https://h.example/july-2019/?a=1&utm_source=x&b=2").comments()
        #expect(page["comments", 0, "_id"]?.string == id)
        let clean = try #require(page["urlIdClean"]?.string)
        #expect(try author.on(clean).comments()["urlIdClean"]?.string == clean)
    }

    @Test func pagesMatchExactly() throws {
        let site = try Site()
        let author = try site.reader(.author, at: "/posts/kubecon-2023-otel-sampling/")
        _ = try author.posted("Hello")
        for other in [
            "/posts/kubecon-2023/", "/posts/kubecon-2023-otel-sampling", "/Posts/kubecon-2023-otel-sampling/",
        ] {
            #expect(try author.on(other).comments()["commentCount"] == 0)
        }
    }

    @Test func aBroadcastIDHasAtMost128Bytes() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("Hello", broadcastID: String(repeating: "b", count: 128))
        let long = String(repeating: "b", count: 127) + "é"
        let query: QueryItems = ["broadcastId": long]
        try site.refuses(400, "invalid-input") { try author.post("Hello", broadcastID: long) }
        try site.refuses(400, "invalid-input") { try author.edit(id, "Hello", query: query) }
        try site.refuses(400, "invalid-input") { try author.vote(id, query: query) }
        try site.refuses(400, "invalid-input") { try author.delete(id, query: query) }
        try site.refuses(400, "invalid-input") {
            try author.client.request(
                "POST", "/comments/\(site.tenant.id)/\(id)/pin", query + ["sso": site.token(.admin)])
        }
    }

    // MARK: Texts

    @Test(arguments: ["", " ", "\n\t ", "\u{200B}", "<script>alert(1)</script>", "<b></b>"])
    func aCommentNeedsSomethingToShow(_ text: String) throws {
        let site = try Site()
        try site.refuses(422, "empty-comment") { try site.reader(.author).post(text) }
    }

    @Test func aTextMayHaveTwoThousandCharactersUnlessSetOtherwise() throws {
        let site = try Site()
        let author = try site.reader(.author)
        try site.takes { try author.post(String(repeating: "é", count: 2000)) }
        let answer = try site.refuses(422, "comment-too-big") {
            try author.post(String(repeating: "é", count: 2001))
        }
        #expect(answer["maxCharacterLength"] == 2000)
        #expect(answer["translatedError"]?.string?.contains("2000") == true)
    }

    @Test func aSettingMovesTheLimitForPostsAndEdits() throws {
        let site = try Site(["maxCommentCharacterLength": 20])
        let author = try site.reader(.author)
        let family = "👩‍👩‍👧‍👦"
        let id = try author.posted(String(repeating: family, count: 20))
        try site.refuses(422, "comment-too-big") { try author.post(String(repeating: family, count: 21)) }
        try site.refuses(422, "comment-too-big") { try author.edit(id, String(repeating: "x", count: 21)) }
        try site.takes { try author.edit(id, String(repeating: "x", count: 20)) }
    }

    @Test func aLetterWithMarksWithoutEndIsManyCharacters() throws {
        let site = try Site(["maxCommentCharacterLength": 10])
        let author = try site.reader(.author)
        let letter = { (marks: Int) in "e" + String(repeating: "\u{301}", count: marks) }
        try site.takes { try author.post(String(repeating: letter(1), count: 10)) }
        try site.refuses(422, "comment-too-big") { try author.post(String(repeating: letter(1), count: 11)) }
        // The first mark is composed with its letter.
        try site.takes { try author.post(letter(100)) }
        try site.refuses(422, "comment-too-big") { try author.post(letter(101)) }
    }

    @Test func tagsAndAddressesOfImagesDoNotCount() throws {
        let site = try Site(["maxCommentCharacterLength": 12])
        let author = try site.reader(.author)
        let image = "[img]https://images.example.com/a/very/long/name/of/a/picture.png[/img]"
        try site.takes { try author.post("<b>Hello</b> <i>world</i>!") }
        try site.takes { try author.post("Hello world!" + image) }
        try site.refuses(422, "comment-too-big") { try author.post("<b>Hello</b> <i>world</i>!!") }
        try site.refuses(422, "comment-too-big") { try author.post("Hello world!!" + image) }
        try site.refuses(422, "comment-too-big") { try author.post("[img]https://x.example/never-closed") }
    }

    @Test func sixtyFourKibibytesAreTheEndWhateverIsSet() throws {
        let site = try Site(["maxCommentCharacterLength": 1_000_000])
        let author = try site.reader(.author)
        try site.takes { try author.post(String(repeating: "x", count: 65_536)) }
        try site.refuses(422, "comment-too-big") { try author.post(String(repeating: "x", count: 65_537)) }
    }

    @Test func aCommentHasAtMostFiftyHashTags() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let listed = { (count: Int) -> JSONValue in
            ["hashTags": .array((1...count).map { ["id": "x", "tag": .string("#listed\($0)"), "url": nil] })]
        }
        try site.takes { try author.post("Hello", extras: listed(50)) }
        try site.refuses(400, "invalid-input") { try author.post("Hello", extras: listed(51)) }
        try site.refuses(400, "invalid-input") { try author.post("Hello #world", extras: listed(50)) }
        // In a text they are words like others: those past the fiftieth are no tags.
        _ = try author.posted((1...51).map { "#tag\($0)" }.joined(separator: " "))
        #expect(try author.comments(["hashTags": "tag50"])["comments"]?.array?.count == 1)
        #expect(try author.comments(["hashTags": "tag51"])["comments"]?.array?.count == 0)
    }

    // MARK: Parents, locks, closed threads

    @Test func aParentMustBeOnThePage() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let elsewhere = try author.on("other").posted("Elsewhere")
        let foreign = try Site().reader(.author).posted("Foreign")
        _ = try author.posted("Here")
        for parent in ["unknown", elsewhere, foreign, "' OR 1=1 --"] {
            try site.refuses(404, "not-found") { try author.post("Reply", replyingTo: parent) }
        }
        // No page is made for a reply that is refused.
        try site.refuses(404, "not-found") { try author.on("new").post("Reply", replyingTo: elsewhere) }
        try site.takes { try author.post("Root", replyingTo: "") }
    }

    @Test func nobodyRepliesToALockedComment() throws {
        let site = try Site()
        let admin = try site.reader(.admin)
        let root = try admin.posted("Root")
        let reply = try admin.posted("Reply", replyingTo: root)
        try site.takes { try admin.mark(root, "lock") }
        for parent in [root, reply] {
            let answer = try site.refuses(401, "locked") { try admin.post("More", replyingTo: parent) }
            #expect(answer["translatedError"] != nil)
        }
        try site.takes { try admin.mark(root, "unlock") }
        try site.takes { try admin.post("More", replyingTo: reply) }
    }

    @Test func aClosedThreadTakesNoCommentsButAllElse() throws {
        let site = try Site(pages: [
            ["urlId": "page", "isClosed": true, "comments": [["name": "Guest", "comment": "Old"]]]
        ])
        let author = try site.reader(.author)
        let admin = try site.reader(.admin)
        let page = try author.comments()
        _ = try admin.comments()
        #expect(page["isClosed"] == true)
        let id = try #require(page["comments", 0, "_id"]?.string)
        for reader in [author, admin] {
            let answer = try site.refuses(401, "locked") { try reader.post("New") }
            #expect(answer["translatedError"]?.string?.contains("closed") == true)
            try site.refuses(401, "locked") { try reader.post("Reply", replyingTo: id) }
        }
        let vote = try site.takes { try author.vote(id) }
        try site.takes { try author.unvote(id, vote: vote["voteId"]?.string ?? "") }
        try site.takes { try author.flag(id) }
        try site.takes { try admin.edit(id, "Newer") }
        try site.takes { try admin.delete(id) }
    }

    // MARK: Guests

    @Test func aGuestNeedsANameOfOneToOneHundredCharacters() throws {
        let site = try Site()
        let guest = try site.reader()
        let name = { (name: String) -> JSONValue in
            ["commenterName": .string(name), "commenterEmail": "guest@example.com"]
        }
        for bad in ["", "  ", "\u{200B}\u{202E}", "<i></i>", "<script", String(repeating: "x", count: 101)] {
            let answer = try site.refuses(422, "invalid-name") { try guest.post("Hello", extras: name(bad)) }
            #expect(answer["translatedError"] != nil)
        }
        try site.takes { try guest.post("Hello", extras: name(String(repeating: "É", count: 100))) }
        try site.refuses(422, "invalid-name-is-email") { try guest.post("Hello", extras: name("a@example.com")) }
    }

    @Test(arguments: [
        ("Раз_Два  Три_34567", "Раз_Два Три_34567"), ("Élodie_Ö", "Élodie_Ö"), ("\u{202E}evil", "evil"),
        ("z\u{200B}e\u{200D}r\u{FEFF}o", "zero"), ("a\u{061C}b\u{2066}c\u{2069}", "abc"),
        ("مرحبا (abc) 123", "مرحبا (abc) 123"),
        ("line\r\nBcc: a@b", "lineBcc: a@b"),
        ("name <a href=\"javascript:alert('XSS1')\" onmouseover=\"alert('XSS2')\">XSS</a>", "name XSS"),
        ("Jérôme — “quotes”", "Jérôme — “quotes”"), ("e\u{301}", "é"),
    ])
    func namesAreKeptWithoutWhatHarms(_ name: String, _ kept: String) throws {
        let site = try Site()
        let answer = try site.takes {
            try site.reader().post(
                "Hello", extras: ["commenterName": .string(name), "commenterEmail": "guest@example.com"])
        }
        let shown = answer["comment", "commenterName"]?.string ?? ""
        #expect(Array(shown.unicodeScalars) == Array(kept.unicodeScalars))
    }

    @Test(arguments: ["", "plain", "a@", "@b.example", "a@b", "a b@c.example", "a@b@c.example", "a@b..example"])
    func aGuestNeedsAnAddress(_ email: String) throws {
        let site = try Site()
        try site.refuses(422, "invalid-email") {
            try site.reader().post("Hello", extras: ["commenterEmail": .string(email)])
        }
    }

    @Test func aGuestMayNotTakeTheNameOfSomebodyElse() throws {
        let site = try Site()
        try site.takes { try site.reader(Person("1", username: "Reader One", email: "one@example.com")).comments() }
        let guest = try site.reader()
        for name in ["Reader One", "reader one", " READER  ONE", "Reader\u{200B} One"] {
            try site.refuses(422, "username-taken") {
                try guest.post("Hello", extras: ["commenterName": .string(name), "commenterEmail": "x@example.com"])
            }
        }
        try site.takes {
            try guest.post("Hello", extras: ["commenterName": "Reader One", "commenterEmail": "ONE@example.com"])
        }
    }

    @Test func aGuestsLinkIsAWebAddressOrNothing() throws {
        let site = try Site(["enableCommenterLinks": true])
        let guest = try site.reader()
        for bad in ["javascript:alert(1)", "name@example.com", "http://x.com/?'onmouseover='alert(1)'x='", "//evil"] {
            let answer = try site.takes {
                try guest.post("Hello", extras: ["commenterEmail": "g@example.com", "commenterLink": .string(bad)])
            }
            #expect(answer["comment", "commenterLink"] == nil)
        }
        let answer = try site.takes {
            try guest.post(
                "Hello", extras: ["commenterEmail": "g@example.com", "commenterLink": "https://example.com/me"])
        }
        #expect(answer["comment", "commenterLink"] == "https://example.com/me")
    }

    private static func send(_ body: [UInt8], to site: Site, sso: String? = nil) throws -> Answer {
        try site.client().send(
            "POST", "/comments/\(site.tenant.id)", ["urlId": "page", "broadcastId": "b", "sso": sso],
            headers: [("content-type", "application/json")], body: body)
    }
}

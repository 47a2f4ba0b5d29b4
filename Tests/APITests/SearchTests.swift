import JSON
import TestSupport
import Testing

/// `searchText` (contract: public 5.1).
@Suite struct SearchTests {
    private static func site(_ texts: [String], isOn: Bool = true) throws -> Site {
        let comments = texts.map { text -> JSONValue in ["name": "Guest", "comment": .string(text)] }
        return try Site(
            ["enableSearch": .bool(isOn), "defaultSortDirection": "OF"],
            pages: [["urlId": "page", "comments": .array(comments)]])
    }

    private static func found(_ text: String, _ reader: Reader, _ query: QueryItems = [:]) throws -> [String] {
        let answer = try reader.comments(["searchText": text] + query)
        #expect(answer.isSuccess, "\(answer.text)")
        return (answer["comments"]?.array ?? []).compactMap { $0["commentHTML"]?.string }
    }

    @Test(arguments: [
        ("cafe", 0), ("CAFÉ", 0), ("caf", 0), ("cat ca", 0), ("Москв", 1), ("МОСКВА", 1), ("елка", 1), ("東", 2),
        ("京", 2),
        ("京都", 2), ("東京都庁", 2), ("서울", 3), ("울특", 3), ("كتاب", 4), ("الكِتَاب", 4), ("שלום", 5), ("ไทย", 6), ("👍", 7),
        ("strasse", 8),
    ])
    func everyScriptIsFound(_ text: String, _ place: Int) throws {
        let texts = [
            "A cat in the café", "Москва, ёлка", "私は東京都庁にいる", "서울특별시에서", "قرأتُ الكتاب أمس", "שָׁלוֹם לכולם",
            "ภาษาไทยง่าย", "Well done 👍🏽", "Die Straße",
        ]
        let site = try Self.site(texts)
        #expect(try Self.found(text, site.reader()) == [texts[place]])
    }

    @Test(arguments: ["都東", "東庁", "afe", "московский", "\"cat the\"", "dog", "!!!", "* OR cat", "cat\" OR \"the"])
    func whatIsNotThereIsNotFound(_ text: String) throws {
        let site = try Self.site(["A cat in the café", "私は東京都庁にいる", "Москва"])
        #expect(try Self.found(text, site.reader()) == [])
    }

    @Test(arguments: ["\"", "*", "(", "a AND", "words:x", "^cat", "NEAR(", "{place} : p1", "\\", "'", "cat\u{0}", "-"])
    func aQueryIsNoSyntax(_ text: String) throws {
        let site = try Self.site(["A cat"])
        #expect(try site.reader().comments(["searchText": text]).isSuccess)
    }

    @Test func whatIsShownIsSearchedNotItsMarkup() throws {
        let site = try Self.site(["**bold** <i>slanted</i> [label](https://hidden.example/path)", "plain strong"])
        let reader = try site.reader()
        #expect(try Self.found("bold slanted label", reader).count == 1)
        #expect(try Self.found("hidden", reader).isEmpty && Self.found("href", reader).isEmpty)
        #expect(try Self.found("strong", reader) == ["plain strong"])
    }

    @Test func searchIsOffUnlessSwitchedOn() throws {
        let site = try Self.site(["apples", "pears"], isOn: false)
        #expect(try Self.found("apples", site.reader()).count == 2)
    }

    @Test func aSearchStaysOnItsPageAndInItsOrder() throws {
        let site = try Self.site(["one apple", "two apples", "three apples"])
        _ = try site.reader(.author, at: "other").posted("four apples")
        let reader = try site.reader()
        #expect(try Self.found("apple", reader) == ["one apple", "two apples", "three apples"])
        #expect(try Self.found("apple", reader, ["direction": "NF"]).first == "three apples")
        let slice = try reader.comments(["searchText": "apple", "skip": "1", "limit": "1"])
        #expect(slice["comments", 0, "commentHTML"] == "two apples" && slice["hasMore"] == true)
        let whole = try reader.comments(["searchText": "two"])
        #expect(whole["commentCount"] == 3 && whole["hasMore"] == false)
        #expect(try Self.found("apple", reader.on("never written")).isEmpty)
        let tree = try reader.comments(["searchText": "two", "asTree": "true"])
        #expect(tree["comments"]?.array?.count == 1)
    }

    @Test func theIndexFollowsEditsAndDeletions() throws {
        let site = try Site(["enableSearch": true, "commentThreadDeleteMode": 1])
        let author = try site.reader(.author)
        let id = try author.posted("first wording")
        #expect(try Self.found("first", author) == ["first wording"])
        try site.takes { try author.edit(id, "second wording") }
        #expect(try Self.found("first", author).isEmpty && Self.found("second", author) == ["second wording"])
        let reply = try site.reader(.reader(1)).posted("reply wording", replyingTo: id)
        try site.takes { try author.delete(id) }
        #expect(try Self.found("second", author).isEmpty && Self.found("wording", author) == ["reply wording"])
        try site.takes { try site.reader(.reader(1)).delete(reply) }
        #expect(try Self.found("wording", author).isEmpty)
        #expect(try site.count("comment_search WHERE words LIKE '%wording%'") == 0)
    }

    @Test func aTenantTakesItsWordsAlong() throws {
        let site = try Self.site([])
        let client = try site.client()
        let email = "search-\(site.tenant.id)@fctest.com"
        let form = "username=Suite&email=\(email)&companyName=Suite&domains=example.com"
        _ = try client.send(
            "POST", "/auth/tenant-signup", headers: [("content-type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8))
        let path = "/test-e2e/api/tenant/by-email/\(email)"
        let key: QueryItems = ["API_KEY": ParleyProcess.suiteKey]
        let tenant = try #require(try client.request("GET", path, key)["tenant", "_id"]?.string)
        let reader = Reader(client, tenant: tenant, page: "page")
        try site.takes { try reader.post("\(site.tenant.id)", extras: guestExtras) }
        #expect(try site.count("comment_search WHERE words = '\(site.tenant.id)'") == 1)
        _ = try client.request("DELETE", path, key)
        #expect(try site.count("comment_search WHERE words = '\(site.tenant.id)'") == 0)
    }

    @Test func hiddenCommentsAreFoundByThoseWhoSeeThem() throws {
        let site = try Site(["enableSearch": true])
        let id = try site.reader(.author).posted("pending apple")
        try site.execute("UPDATE comment SET is_approved = 0 WHERE id = '\(id)'")
        #expect(try Self.found("apple", site.reader(.reader(1))).isEmpty)
        #expect(try Self.found("apple", site.reader(.author)).count == 1)
        #expect(try Self.found("apple", site.reader(.moderator)).count == 1)
    }

    @Test func aQueryHasAtMost32WordsAnd1000Bytes() throws {
        let site = try Self.site(["w0 w1 w2"])
        let words = { (count: Int) in (0..<count).map { "w\($0 % 3)" }.joined(separator: " ") }
        #expect(try Self.found(words(32), site.reader()).count == 1)
        for text in [words(33), String(repeating: "x", count: 1001)] {
            try site.refuses(400, "invalid-input") { try site.reader().comments(["searchText": text]) }
        }
    }

    @Test func commentsOlderThanTheIndexAreBroughtIn() throws {
        let server = try SeededServer.own()
        let comments = (1...120).map { number -> JSONValue in ["name": "G", "comment": .string("old \(number)")] }
        let site = try Site(
            ["enableSearch": true], pages: [["urlId": "page", "comments": .array(comments)]], on: server)
        let author = try site.reader(.author)
        let edited = try author.posted("to be edited")
        let (kept, gone) = (try author.posted("old enough"), try author.posted("old and gone"))
        try server.process.terminate()
        try site.execute(
            """
            DELETE FROM comment_search;
            INSERT OR REPLACE INTO server_state (key, value)
            SELECT 'search-backfill', max(seq) FROM comment;
            DELETE FROM comment WHERE id = '\(gone)';
            """)
        let process = try ParleyProcess(.data(server.folder))
        let reader = try process.reader(.author, of: site.tenant, at: "page")
        try site.takes { try reader.edit(edited, "old and edited") }
        try until {
            try reader.comments(["searchText": "old", "skip": "0", "limit": "999"])["comments"]?.array?.count == 122
        }
        #expect(try site.count("comment_search") == 122)
        #expect(try reader.comments(["searchText": "enough"])["comments", 0, "_id"]?.string == kept)
        try until { try site.count("server_state WHERE key = 'search-backfill'") == 0 }
        try process.terminate()
    }
}

import JSON
import TestSupport
import Testing

/// `GET /translations/{namespace}/{component}` (contract: public 18).
@Suite struct TranslationTests {
    private static let components = [
        "comment-ui", "comment-ui-cancel", "comment-ui-gifs", "comment-ui-notifications-list",
        "comment-ui-react-native", "comment-ui-online-users", "comment-ui-moderation", "block-confirm", "feed-ui",
    ]

    private static func words(
        _ component: String = "comment-ui", _ query: QueryItems = [:], on site: Site? = nil
    ) throws -> Answer {
        let client = try site?.client() ?? SeededServer.shared().client()
        return try client.request("GET", "/translations/widgets/\(component)", query)
    }

    private static func word(_ name: JSONStep, _ query: QueryItems, on site: Site? = nil) throws -> String? {
        try words("comment-ui", query, on: site)["translations", name]?.string
    }

    @Test(arguments: components)
    func `every component that clients load has all words`(component: String) throws {
        let answer = try Self.words(component, ["useFullTranslationIds": "true", "locale": "en_us"])
        #expect(answer.isSuccess)
        #expect(answer.json?.object?.members.map(\.name) == ["status", "translations"])
        #expect(answer["translations"]?.object?.members.count == 201)
        #expect(answer["translations", "SHOW_COMMENTS_BUTTON_TEXT"] == "Show ([count]) Comments")
    }

    @Test func `names are full ones however they are asked for`() throws {
        let full = try Self.words("comment-ui", ["useFullTranslationIds": "true"]).body
        for flag in [nil, "false", "0", "1", ""] {
            #expect(try Self.words("comment-ui", ["useFullTranslationIds": flag]).body == full)
        }
        let wrong = try Self.words("comment-ui", ["useFullTranslationIds": "perhaps"])
        #expect(wrong.status == 422 && wrong.code == "invalid-input")
    }

    @Test(arguments: [
        "/translations/other/comment-ui", "/translations/widgets/other", "/translations/Widgets/comment-ui",
    ])
    func `what does not exist is refused`(path: String) throws {
        let answer = try SeededServer.shared().client().request("GET", path)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid-input")
    }

    @Test(arguments: [
        ("de_de", "Abbrechen"), ("de-DE", "Abbrechen"), ("de", "Abbrechen"), ("de_at", "Abbrechen"),
        ("DE_DE", "Abbrechen"), ("he", "ביטול"), ("iw_il", "ביטול"), ("en_us", "Cancel"), ("xx_yy", "Cancel"),
        ("", "Cancel"), ("../de_de", "Cancel"), (String(repeating: "d", count: 5000), "Cancel"),
    ])
    func `a locale leads to its language, else to English`(locale: String, cancel: String) throws {
        #expect(try Self.word("CANCEL", ["locale": locale]) == cancel)
    }

    @Test func `the browser's language has no say, because caches do not see it`() throws {
        let answer = try SeededServer.shared().client().request(
            "GET", "/translations/widgets/comment-ui", headers: [("accept-language", "de")])
        #expect(answer["translations", "CANCEL"] == "Cancel")
    }

    @Test func `an owner's language stands in for one that there is not`() throws {
        let site = try Site(["locale": "fr_fr"])
        let word = { try Self.word("CANCEL", ["locale": $0, "tenantId": site.tenant.id], on: site) }
        #expect(try word(nil) == "Annuler")
        #expect(try word("xx_yy") == "Annuler")
        #expect(try word("de_de") == "Abbrechen")
    }

    @Test func `an owner's words replace ours`() throws {
        let site = try Site(["translations": ["CANCEL": "Never mind", "MY_OWN": "\"mine\""]])
        let answer = try Self.words("comment-ui", ["tenantId": site.tenant.id], on: site)
        #expect(answer["translations", "CANCEL"] == "Never mind")
        #expect(answer["translations", "MY_OWN"] == "\"mine\"")
        #expect(answer["translations", "REPLY"] == "Reply")
        #expect(answer["translations", "SAVE"] == "Save")
        #expect(answer["translations"]?.object?.members.count == 202)
        #expect(try Self.word("CANCEL", [:], on: site) == "Cancel")
        let plain = try Self.words("comment-ui")
        #expect(answer.header("etag") != plain.header("etag"))
        let unknown = try Self.words("comment-ui", ["tenantId": "nobody"], on: site)
        #expect(unknown.status == 404)
        #expect(unknown.code == "invalid-tenant")
    }

    @Test func `caches may keep the words for an hour and ask whether they changed`() throws {
        let client = try SeededServer.shared().client()
        let get = { (locale: String, headers: [(String, String)]) in
            try client.request("GET", "/translations/widgets/feed-ui", ["locale": locale], headers: headers)
        }
        let first = try get("de_de", [])
        #expect(first.header("cache-control") == "public, max-age=3600")
        let tag = try #require(first.header("etag"))
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let again = try get("de_de", [("if-none-match", known)])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.header("etag") == tag)
            #expect(again.header("cache-control") == "public, max-age=3600")
        }
        for other in ["\"x\"", "", "x\(tag)"] {
            #expect(try get("de_de", [("if-none-match", other)]).body == first.body)
        }
        let french = try get("fr_fr", [("if-none-match", tag)])
        #expect(french.status == 200)
        #expect(french.header("etag") != tag)
    }
}

/// Labels that come with comments (contract: public 5.1).
@Suite struct CommentLabelTests {
    @Test func `comments bring labels when asked to`() throws {
        let site = try Site(["pageSize": 20])
        let reader = try site.reader()
        #expect(try reader.comments()["customConfig"] == nil)
        #expect(try reader.comments(["includei10n": "false"])["customConfig"] == nil)
        let answer = try reader.comments(["includei10n": "true", "locale": "de_de", "useFullTranslationIds": "true"])
        #expect(answer["customConfig"]?.object?.members.map(\.name) == ["translations"])
        #expect(answer["customConfig", "translations", "CANCEL"] == "Abbrechen")
        #expect(answer["customConfig", "translations"]?.object?.members.count == 201)
        #expect(try reader.comments(["includei10n": "maybe"]).code == "invalid-input")
    }

    @Test func `labels and settings share an object`() throws {
        let site = try Site(["pageSize": 20, "translations": ["CANCEL": "Never mind"], "wrap": true])
        let reader = try site.reader()
        let both = try reader.comments(["includei10n": "true", "includeConfig": "true"])["customConfig"]
        #expect(both?.object?.members.map(\.name) == ["pageSize", "wrap", "translations"])
        #expect(both?["translations", "CANCEL"] == "Never mind")
        #expect(both?["translations", "REPLY"] == "Reply")
        let settings = try reader.comments(["includeConfig": "true"])["customConfig"]
        #expect(settings == ["pageSize": 20, "translations": ["CANCEL": "Never mind"], "wrap": true])
        let labels = try reader.comments(["includei10n": "true"])["customConfig"]
        #expect(labels?.object?.members.map(\.name) == ["translations"])
        #expect(labels?["translations", "CANCEL"] == "Never mind")
    }

    @Test func `labels are in the reader's language`() throws {
        let site = try Site(["locale": "fr_fr"])
        let italian = Person("italian", extras: ["locale": "it_it"])
        let cancel = { (person: Person?, locale: String?) in
            try site.reader(person).comments(["includei10n": "true", "locale": locale])[
                "customConfig", "translations", "CANCEL"]?.string
        }
        #expect(try cancel(nil, nil) == "Annuler")
        #expect(try cancel(nil, "xx") == "Annuler")
        #expect(try cancel(italian, nil) == "Annulla")
        #expect(try cancel(italian, "de_de") == "Abbrechen")
        #expect(try cancel(Person("other", extras: ["locale": "xx_yy"]), nil) == "Annuler")
    }
}

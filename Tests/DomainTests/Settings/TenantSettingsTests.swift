import Domain
import JSON
import Testing

@Suite struct TenantSettingsTests {
    private static func object(_ json: String) -> JSONObject { WidgetSettings(parsing: json).values }

    private func rule(_ page: String, _ json: String, domain: String? = nil) throws -> TenantSettings.Rule {
        TenantSettings.Rule(domain: domain, page: try #require(PagePattern(page)), values: Self.object(json))
    }

    @Test(arguments: [
        ("*", "", true), ("*", "anything/at all", true), ("a*", "a", true), ("a*", "ab", true), ("a*", "ba", false),
        ("*a", "ba", true), ("*a", "ab", false), ("a*a", "a", false), ("a*a", "aa", true), ("*b*", "abc", true),
        ("*/blog/*", "https://x.com/blog/1", true), ("*/blog/*", "https://x.com/blog", false), ("a**b", "a-b", true),
        ("a*b*c", "a-c-b-c", true), ("a*b*c", "a-c-b", false), ("*ab*ab*", "abab", true), ("*ab*ab*", "aba", false),
        ("hello", "hello", true), ("hello", "hello2", false), ("über*", "über uns", true), ("%*", "%41", true),
    ])
    func `a star stands for any run of characters`(pattern: String, page: String, matches: Bool) throws {
        #expect(try #require(PagePattern(pattern)).matches(page) == matches)
    }

    @Test func `a pattern without a star is the page's own id`() throws {
        let pattern = try #require(PagePattern(" https://example.com/a?utm_source=x&b=1 "))
        #expect(pattern.text == "https://example.com/a?b=1")
        #expect(pattern.matches("https://example.com/a?b=1"))
        for wrong in ["", " ", "null", "undefined", String(repeating: "x", count: 1001)] {
            #expect(PagePattern(wrong) == nil)
        }
        #expect(PagePattern(String(repeating: "x", count: 1000)) != nil)
        #expect(try #require(PagePattern("**")).isAny)
    }

    @Test func `matching a long id against many stars takes no time`() throws {
        let pattern = try #require(PagePattern(String(repeating: "a*", count: 400) + "b"))
        #expect(!pattern.matches(String(repeating: "a", count: 2000)))
    }

    @Test func `the narrowest rule decides key by key`() throws {
        let settings = TenantSettings(
            common: Self.object(#"{"allowAnon":true,"locale":"de","pageSize":10,"voteStyle":1}"#),
            rules: [
                try rule("https://x.com/blog/1", #"{"pageSize":50}"#),
                try rule("*/blog/*", #"{"pageSize":30,"allowAnon":false}"#),
                try rule("https://x.com/blog/*", #"{"pageSize":40,"voteStyle":null}"#),
                try rule("*", #"{"pageSize":20}"#, domain: "x.com"),
            ])
        let text = { (page: String, site: String?) in
            String(
                decoding: JSONValue.object(settings.settings(page: page, site: site).values).jsonBytes(), as: UTF8.self)
        }
        let all = #"{"allowAnon":true,"locale":"de","pageSize":10,"voteStyle":1}"#
        #expect(text("https://y.com/", nil) == all)
        #expect(text("https://y.com/", "x.com") == all, "the id says where the page is")
        #expect(text("https://x.com/", nil) == #"{"allowAnon":true,"locale":"de","pageSize":20,"voteStyle":1}"#)
        #expect(text("a", "x.com") == #"{"allowAnon":true,"locale":"de","pageSize":20,"voteStyle":1}"#)
        #expect(text("a", "www.x.com") == text("a", "x.com"))
        #expect(text("a", "notx.com") == all)
        #expect(text("a", nil) == all)
        #expect(text("a/blog/b", nil) == #"{"allowAnon":false,"locale":"de","pageSize":30,"voteStyle":1}"#)
        #expect(text("https://x.com/blog/2", nil) == #"{"allowAnon":false,"locale":"de","pageSize":40}"#)
        #expect(text("https://x.com/blog/1", nil) == #"{"allowAnon":false,"locale":"de","pageSize":50}"#)
    }

    @Test func `with a domain beats without, and a longer domain beats a shorter one`() throws {
        let settings = TenantSettings(
            common: JSONObject(),
            rules: [
                try rule("*", #"{"pageSize":30}"#, domain: "docs.example.com"),
                try rule("*", #"{"pageSize":20}"#, domain: "example.com"),
                try rule("a*", #"{"voteStyle":0}"#), try rule("a*", #"{"voteStyle":1}"#, domain: "example.com"),
            ])
        #expect(settings.settings(page: "b", site: "docs.example.com").pageSize == 30)
        #expect(settings.settings(page: "b", site: "www.example.com").pageSize == 20)
        #expect(settings.settings(page: "ab", site: "www.example.com").hasHeartVotes)
        #expect(!settings.settings(page: "ab", site: nil).hasHeartVotes)
    }

    @Test(arguments: [nil, "x.com", "y.com", "www.x.com", "x.com.evil.test", ""])
    func `what keeps people out holds on pages that tell no site, whatever the request claims`(site: String?) throws {
        let settings = TenantSettings(
            common: Self.object(#"{"allowAnon":true,"maxCommentCharacterLength":500,"pageSize":10}"#),
            rules: [
                try rule("*", #"{"readonly":true,"allowAnon":false,"pageSize":50}"#, domain: "x.com"),
                try rule("*", #"{"requireSSO":true,"maxCommentCharacterLength":100}"#, domain: "y.com"),
                try rule("*", #"{"allowAnonVotes":true,"maxCommentCharacterLength":null}"#, domain: "z.com"),
            ])
        for page in ["page", "//x.com/a", "https://", "x.com/a"] {
            let values = settings.settings(page: page, site: site)
            #expect(values.isReadOnly && values.requiresSSO && !values.allowsAnonymous && !values.allowsAnonymousVotes)
            #expect(values.maximumCommentLength == 100)
            #expect(values.pageSize == (["x.com", "www.x.com"].contains(site) ? 50 : 10))
        }
        for address in ["https://x.com/a", "HTTPS://X.com:8443/a", "http://x.com./a", "https://a@www.x.com/a"] {
            let values = settings.settings(page: address, site: site)
            #expect(values.isReadOnly && !values.requiresSSO && values.maximumCommentLength == 500)
        }
        let elsewhere = settings.settings(page: "https://other.com/a", site: site)
        #expect(!elsewhere.isReadOnly && elsewhere.allowsAnonymous && !elsewhere.requiresSSO)
        #expect(settings.settings(page: "https://z.com/a", site: site).maximumCommentLength == 2000)
    }

    @Test func `of a site, its narrowest rule is compared with what holds elsewhere`() throws {
        let settings = TenantSettings(
            common: JSONObject(),
            rules: [
                try rule("*", #"{"readonly":true,"requireSSO":true}"#, domain: "x.com"),
                try rule("news/*", #"{"readonly":false}"#, domain: "x.com"),
                try rule("a/*", #"{"requireSSO":null}"#),
            ])
        let news = settings.settings(page: "news/1", site: nil)
        #expect(!news.isReadOnly && news.requiresSSO)
        let other = settings.settings(page: "a/1", site: "y.com")
        #expect(other.isReadOnly && !other.requiresSSO)
    }

    @Test func `a site below another has the rules of both`() throws {
        let rules = [
            try rule("*", #"{"maxCommentCharacterLength":300}"#, domain: "x.com"),
            try rule("*", #"{"maxCommentCharacterLength":900,"readonly":true}"#, domain: "docs.x.com"),
        ]
        let settings = TenantSettings(common: JSONObject(), rules: rules)
        #expect(settings.settings(page: "page", site: nil).maximumCommentLength == 300)
        #expect(settings.settings(page: "page", site: nil).isReadOnly)
        let taken = TenantSettings(common: JSONObject(), rules: rules + [try rule("page", #"{"readonly":null}"#)])
        #expect(!taken.settings(page: "page", site: "docs.x.com").isReadOnly)
        #expect(taken.settings(page: "pages", site: nil).isReadOnly)
    }

    @Test(arguments: [
        (#"{"restrictedLinkDomains":["a.com","b.com"]}"#, #"{"restrictedLinkDomains":["b.com"]}"#, #"["b.com"]"#),
        ("{}", #"{"restrictedLinkDomains":["b.com"]}"#, #"["b.com"]"#),
        (#"{"restrictedLinkDomains":["a.com"]}"#, #"{"restrictedLinkDomains":null}"#, #"["a.com"]"#),
        (#"{"allowedEmbedDomains":["a.com"]}"#, #"{"allowedEmbedDomains":["b.com"]}"#, "[]"),
        ("{}", #"{"allowedEmbedDomains":["b.com"]}"#, "null"),
        ("{}", #"{"tos":{"enabled":true}}"#, #"{"enabled":true}"#),
        (#"{"tos":{"enabled":true}}"#, #"{"tos":{"enabled":false}}"#, #"{"enabled":true}"#),
        (#"{"ssoSecLvl":1}"#, #"{"ssoSecLvl":0}"#, "1"), ("{}", #"{"ssoSecLvl":1}"#, "1"),
        ("{}", #"{"widgetQuestionId":"q"}"#, #""q""#), ("{}", #"{"maxCommentCreatedCountPUPM":10}"#, "null"),
        (
            #"{"spamRules":[{"actions":["spam"],"commentContains":"a"},{"actions":["not-spam"]}]}"#,
            #"{"spamRules":[{"actions":["spam"],"commentContains":"b"}]}"#,
            #"[{"actions":["spam"],"commentContains":"a"},{"actions":["spam"],"commentContains":"b"}]"#
        ),
    ])
    func `each kind of restriction knows its strictest value`(common: String, rule json: String, kept: String) throws {
        let values = Self.object(json)
        let settings = TenantSettings(common: Self.object(common), rules: [try rule("*", json, domain: "x.com")])
        let name = try #require(values.members.first?.name)
        for site in [nil, "x.com"] {
            let value = settings.settings(page: "page", site: site).values[name] ?? .null
            #expect(value == (try JSONValue.parse(kept)))
        }
    }

    @Test func `without rules for pages every page shares what holds everywhere`() {
        let settings = TenantSettings(common: Self.object(#"{"pageSize":11}"#), rules: [])
        #expect(settings.settings(page: "a", site: nil) == settings.common)
        #expect(TenantSettings.none.settings(page: "a", site: "x.com").values.members.isEmpty)
    }

    @Test func `a client that must forget a key is told what its absence means`() {
        let old = WidgetSettings(parsing: #"{"readonly":true,"pageSize":50,"tos":{"enabled":true},"gifRating":"g"}"#)
        let new = WidgetSettings(parsing: #"{"pageSize":20}"#)
        let change = new.change(from: old).map { String(decoding: JSONValue.object($0).jsonBytes(), as: UTF8.self) }
        #expect(change == #"{"pageSize":20,"readonly":false,"tos":{"enabled":false},"gifRating":"pg"}"#)
        #expect(new.change(from: WidgetSettings(parsing: #"{"pageSize":20}"#)) == nil)
    }

    @Test func `only more demanding sign-on is stricter`() {
        let open = WidgetSettings()
        let simple = WidgetSettings(parsing: #"{"requireSSO":true}"#)
        let secure = WidgetSettings(parsing: #"{"requireSSO":true,"ssoSecLvl":1}"#)
        #expect(simple.isStricter(than: open) && secure.isStricter(than: simple) && secure.isStricter(than: open))
        #expect(!open.isStricter(than: secure) && !simple.isStricter(than: secure) && !secure.isStricter(than: secure))
        #expect(!WidgetSettings(parsing: #"{"ssoSecLvl":1}"#).isStricter(than: open))
    }

    @Test func `what the server obeys is read`() {
        let settings = WidgetSettings(
            parsing: """
                {"disableAutoAdminMigration":true,"enableFChat":true,"limitCommentsByGroups":true,"gifRating":"r",\
                "mentionAutoCompleteMode":2,"widgetQuestionsRequired":1,"widgetQuestionId":"q","allowEmbeds":true,\
                "allowedEmbedDomains":["H.com"],"tos":{"enabled":true,"lastUpdated":"1970-01-01T00:00:01Z"},\
                "translations":{"A":"b"}}
                """)
        #expect(settings.disablesAdminByAddress && settings.enablesPageChat && settings.limitsByGroups)
        #expect(settings.gifRating == "r" && settings.mentionMode == 2 && settings.requiredQuestion == "q")
        #expect(settings.embedHosts == ["h.com"] && settings.terms?.updatedAt == 1000)
        #expect(settings.translations?["A"]?.string == "b")
        let none = WidgetSettings(parsing: #"{"allowedEmbedDomains":["h.com"],"widgetQuestionsRequired":1,"tos":{}}"#)
        #expect(none.embedHosts == nil && none.requiredQuestion == nil && none.terms == nil)
        #expect(WidgetSettings(parsing: #"{"widgetQuestionsRequired":1,"showQuestion":true}"#).requiredQuestion == "")
        #expect(WidgetSettings(parsing: #"{"allowEmbeds":true}"#).embedHosts == [])
    }
}

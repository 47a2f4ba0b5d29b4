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
            common: Self.object(#"{"pageSize":10,"allowAnon":true,"locale":"de","voteStyle":1}"#),
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
        let all = #"{"pageSize":10,"allowAnon":true,"locale":"de","voteStyle":1}"#
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

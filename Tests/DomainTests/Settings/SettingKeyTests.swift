import Domain
import JSON
import Testing

@Suite struct SettingKeyTests {
    private func checked(_ name: String, _ json: String) throws -> JSONValue {
        try SettingKey.named(name).checked(try JSONValue.parse(json))
    }

    private func kept(_ json: String, keepsNull: Bool = false) throws -> String {
        let object = try #require(try JSONValue.parse(json).object)
        let checked = try SettingKey.checked(object, keepsNull: keepsNull)
        return String(decoding: JSONValue.object(checked).jsonBytes(), as: UTF8.self)
    }

    @Test func `every key of the contract can be set but the one that is never sent`() {
        #expect(SettingKey.all.count == 87)
        #expect(Set(SettingKey.all.map(\.name)).count == SettingKey.all.count)
        #expect(!SettingKey.all.contains { $0.name == "noCustomConfig" })
    }

    @Test(arguments: [#"{"A":""}"#, #"{"A":"b","C":" \u200b"}"#])
    func `a label is a text that can be seen`(json: String) {
        let fault = #expect(throws: SettingFault.self) { try checked("translations", json) }
        #expect(fault?.sentence.contains("not empty") == true)
    }

    @Test func `nothing may be said twice`() {
        let fault = #expect(throws: SettingFault.self) { try kept(#"{"pageSize":10,"pageSize":20}"#) }
        #expect(fault?.sentence == "pageSize is there twice.")
        let inner = #expect(throws: SettingFault.self) { try checked("translations", #"{"A":"b","A":"c"}"#) }
        #expect(inner?.sentence == "translations has \"A\" twice.")
    }

    @Test(arguments: [
        ("pageSize", 10, 200), ("commenterNameFormat", 0, 4), ("commentThreadDeleteMode", 0, 3),
        ("commentHTMLRenderingMode", 0, 1), ("mentionAutoCompleteMode", 0, 2), ("ssoSecLvl", 0, 1), ("voteStyle", 0, 1),
        ("maxCommentCharacterLength", 1, 1_000_000), ("maxCommentCreatedCountPUPM", 0, 10_000),
        ("usersListLocation", 0, 3), ("widgetQuestionResultsStyle", 0, 2), ("widgetQuestionStyle", 0, 1),
        ("widgetQuestionWhenToSave", 0, 1), ("widgetQuestionsRequired", 0, 1), ("widgetSubQuestionVisibility", 0, 1),
        ("countAboveToggle", 0, 2_147_483_647), ("ticketMaxFileSize", 0, 2_147_483_647),
    ])
    func `numbers have bounds`(name: String, lowest: Int64, highest: Int64) throws {
        #expect(try checked(name, "\(lowest)") == .integer(lowest))
        #expect(try checked(name, "\(highest).0") == .integer(highest))
        for wrong in ["\(lowest - 1)", "\(highest + 1)", "1.5", "\"\(lowest)\"", "true", "[]"] {
            let fault = #expect(throws: SettingFault.self) { try checked(name, wrong) }
            #expect(fault?.sentence.hasPrefix("\(name) must be a whole number from \(lowest) to \(highest)") == true)
        }
    }

    @Test(arguments: [
        ("readonly", "true", "\"true\""), ("showCommentSaveSuccess", "false", "0"), ("gifRating", "\"pg-13\"", "\"x\""),
        ("defaultSortDirection", "\"OF\"", "\"of\""), ("imageContentProfanityLevel", "\"off\"", "false"),
        ("locale", "\"pt_br\"", "\"p\""), ("locale", "\"zh-Hans-CN\"", "\"de de\""), ("locale", "\"de\"", "\"\""),
        ("defaultAvatarSrc", "\"https://example.com/a.png\"", "\"a.png\""),
        ("ticketBaseUrl", "\"https://example.com\"", "\"javascript:alert(1)\""),
        ("defaultUsername", "\"Somebody\"", "\"\""), ("defaultUsername", "\"Some body\"", "\"a@example.com\""),
        ("allowedLanguages", "[\"en_us\"]", "[1]"), ("ticketAutoAssignUserIds", "[\"1\"]", "\"1\""),
        ("allowedEmbedDomains", "[]", "[\"https://example.com\"]"),
        ("restrictedLinkDomains", "[\"münchen.example\"]", "[\"example.com/a\"]"),
        ("restrictedLinkDomains", "[\"a-b.example\"]", "[\"-b.example\"]"), ("customCSS", "\"a{}\"", "{}"),
        ("translations", "{\"A\":\"b\"}", "{\"A\":1}"), ("translations", "{}", "[]"),
        ("tos", "{\"enabled\":true}", "{\"enabled\":1}"), ("tos", "{}", "{\"text\":\"x\"}"),
        ("tos", "{\"textByLocale\":{\"de\":\"Ja\"}}", "{\"lastUpdated\":\"yesterday\"}"),
        ("spamRules", "[]", "{}"), ("spamRules", "[{\"actions\":[\"spam\"]}]", "[{\"actions\":[]}]"),
        ("spamRules", "[{\"actions\":[\"not-spam\",\"ignore-repeat\"],\"commentContains\":\"x\"}]", "[{}]"),
        ("spamRules", "[]", "[{\"actions\":[\"ban\"]}]"), ("spamRules", "[]", "[{\"actions\":[\"spam\"],\"x\":1}]"),
    ])
    func `each kind takes what fits and nothing else`(name: String, right: String, wrong: String) throws {
        #expect(try checked(name, right) == JSONValue.parse(right))
        let fault = #expect(throws: SettingFault.self) { try checked(name, wrong) }
        #expect(fault?.sentence.hasPrefix("\(name) must be ") == true)
    }

    @Test func `texts have a longest length`() throws {
        for (name, limit) in [("commentCountFormat", 1000), ("headerHTML", 100_000), ("defaultUsername", 100)] {
            let text = String(repeating: "ü", count: limit)
            #expect(try checked(name, "\"\(text)\"").string == text)
            #expect(throws: SettingFault.self) { try checked(name, "\"\(text)x\"") }
        }
    }

    @Test func `lists have a longest length`() throws {
        let hosts = { (count: Int) in "[" + (0..<count).map { "\"h\($0).com\"" }.joined(separator: ",") + "]" }
        #expect(try checked("restrictedLinkDomains", hosts(1000)).array?.count == 1000)
        #expect(throws: SettingFault.self) { try checked("restrictedLinkDomains", hosts(1001)) }
    }

    @Test func `what is kept has one form`() throws {
        let given = """
            {"pageSize":50.0,"allowAnon":true,"restrictedLinkDomains":["Example.COM"],"locale":null,\
            "tos":{"enabled":true,"lastUpdated":"2026-01-31T01:00:00+01:00","textByLocale":null}}
            """
        #expect(
            try kept(given) == """
                {"allowAnon":true,"pageSize":50,"restrictedLinkDomains":["example.com"],\
                "tos":{"enabled":true,"lastUpdated":"2026-01-31T00:00:00.000Z"}}
                """)
        #expect(try kept(#"{"locale":null}"#, keepsNull: true) == #"{"locale":null}"#)
    }

    @Test(arguments: [
        ("pagesize", "pageSize"), ("disableVote", "disableVoting"), ("readOnly", "readonly"), ("sso", "option"),
        ("noCustomConfig", "option"), ("whatever-it-is", "no setting"), ("", "no setting"),
    ])
    func `an unknown key is refused with a hint`(name: String, hint: String) {
        let fault = #expect(throws: SettingFault.self) { try SettingKey.named(name) }
        #expect(fault?.sentence.contains(hint) == true, "\(fault?.sentence ?? "")")
    }

    @Test func `a rule about words decides by its first action`() {
        let rules = WidgetSettings(
            parsing: """
                {"spamRules":[{"actions":["not-spam"],"commentContains":"Casino Royale"},\
                {"actions":["spam"],"commentContains":"CASINO"},{"actions":["ignore-repeat"],"commentContains":"ok"}]}
                """
        ).spamRules
        let verdict = { (text: String) in SpamRule.verdict(rules, on: text, "") }
        #expect(verdict("A casino!") == SpamRule.Verdict(isSpam: true, rule: "casino"))
        #expect(verdict("casino royale is a film") == SpamRule.Verdict(isSpam: false))
        #expect(verdict("ok, casino") == SpamRule.Verdict(isSpam: true, ignoresRepeat: true, rule: "casino"))
        #expect(verdict("cas ino") == SpamRule.Verdict())
        #expect(SpamRule.verdict(rules, on: "", "casino").isSpam == true)
        #expect(SpamRule.verdict([], on: "casino") == SpamRule.Verdict())
    }
}

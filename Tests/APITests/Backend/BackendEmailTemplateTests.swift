import JSON
import TestSupport
import Testing

/// Mail in a site's own words (contract: admin 5.18).
@Suite struct BackendEmailTemplateTests {
    private static func body(_ source: String, _ more: JSONValue = [:]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in [("emailTemplateId", "login"), ("displayName", "Mine"), ("ejs", source)] {
            object.append(name, .string(value))
        }
        for (name, value) in more.object?.members ?? [] { object.append(name, value) }
        return .object(object)
    }

    private static func rendering(_ source: String, _ more: JSONValue = [:]) -> JSONValue { body(source, more) }

    private static func html(_ site: Site, _ source: String, _ more: JSONValue = [:], locale: String? = nil) throws
        -> String?
    {
        try site.does("POST", "email-templates/render", ["locale": locale], rendering(source, more))["html"]?.string
    }

    @Test func everyDefinitionRenders() throws {
        let site = try Site()
        let definitions = try #require(try site.does("GET", "email-templates/definitions")["definitions"]?.array)
        #expect(definitions.count >= 6)
        for definition in definitions {
            let source = try #require(definition["defaultEJS"]?.string)
            let answer = try site.does(
                "POST", "email-templates/render", [:],
                ["emailTemplateId": definition["emailTemplateId"] ?? nil, "ejs": .string(source)])
            let html = try #require(answer["html"]?.string)
            #expect(!html.contains("<%") && html.contains("https://example.com/unsubscribe"))
        }
    }

    @Test func gapsAreFilledInEscapedOrNot() throws {
        let site = try Site()
        let data: JSONValue = ["testData": ["a": ["b": "<i>\"&'", "n": 1.5, "t": true, "z": nil, "l": [1]]]]
        #expect(try Self.html(site, "x <%= a.b %> y", data) == "x &lt;i&gt;&quot;&amp;&#39; y")
        #expect(
            try Self.html(site, "<%- a.b %>|<%=a.n%>|<%= a.t %>|<%= a.z %>|<%= a.none %>|<%# no %>", data)
                == "<i>\"&'|1.5|true|||")
        let words: JSONValue = [
            "translationOverridesByLocale": ["de_de": ["HEADING": "Anmelden & los"], "en_us": ["OWN": "own"]]
        ]
        #expect(
            try Self.html(site, "<%= t('HEADING') %> <%- t.HEADING %>", words, locale: "de_de")
                == "Anmelden &amp; los Anmelden & los")
        #expect(try Self.html(site, "<%= t(\"OWN\") %>/<%= t('OPEN') %>", words, locale: "fr_fr") == "own/Sign in")
        for (source, place) in [
            ("<%= missing %>", "Line 1"), ("\n\n<%= a.b.c %>", "Line 3"), ("<%= a %>", "no text"),
            ("<%= t('NONE') %>", "NONE"), ("<%= a.l %>", "no text"), ("<%= none.b %>", "none"),
        ] {
            let answer = try site.refuses(
                422, "does-not-render", "POST", "email-templates/render", [:], Self.rendering(source, data))
            #expect(answer["reason"]?.string?.contains(place) == true, "\(answer.text)")
        }
    }

    @Test(arguments: [
        "<% if (a) { %>", "<%= a", "<%= a + b %>", "<%= a['b'] %>", "<%= include('x') %>", "<%= %>", "<%_ a _%>",
        "<%= a.b.c.d.e.f.g.h.i.j.k %>", "<%= 1 %>", "<%= a..b %>", "<%= t('a') + t('b') %>", "<%= t('') %>",
        "<%= process.exit() %>", "<%% a %>",
    ]) func whatTemplatesDoNotHaveIsNamed(_ source: String) throws {
        let site = try Site()
        let answer = try site.refuses(
            422, "does-not-render", "POST", "email-templates/render", [:], Self.rendering("one\n" + source))
        #expect(answer["reason"]?.string?.hasPrefix("Line 2: ") == true, "\(answer.text)")
    }

    @Test func outputAndInputHaveLimits() throws {
        let site = try Site()
        let most = 100 * 1024
        try site.does("POST", "email-templates/render", [:], Self.rendering(String(repeating: "x", count: most)))
        try site.refuses(
            422, "invalid-input", "POST", "email-templates/render", [:],
            Self.rendering(String(repeating: "x", count: most + 1)))
        let filled = { (times: Int, length: Int) in
            Self.rendering(
                String(repeating: "<%=a%>", count: times),
                ["testData": ["a": .string(String(repeating: "y", count: length))]])
        }
        try site.does("POST", "email-templates/render", [:], filled(1024, 1024))
        try site.refuses(422, "does-not-render", "POST", "email-templates/render", [:], filled(1024, 1025))
        let deep = (1...9).reversed().reduce(JSONValue.string("deep")) { value, level in
            [("n\(level)", value)].reduce(into: JSONValue.null) { result, member in
                var object = JSONObject()
                object.append(member.0, member.1)
                result = .object(object)
            }
        }
        #expect(
            try Self.html(site, "<%= d.n1.n2.n3.n4.n5.n6.n7.n8.n9 %>", ["testData": ["d": deep]]) == "deep")
    }

    @Test func aTemplateIsMadeChangedAndDeleted() throws {
        let site = try Site(domains: ["example.com"])
        let made = try #require(
            try site.does("POST", "email-templates", [:], Self.body("<%= toName %>"))["emailTemplate"])
        #expect(made["domain"] == "*" && made["updatedAt"] == .null && made["testData", "toName"] == "Ada")
        #expect(made["translationOverridesByLocale"] == [:])
        try site.refuses(422, "duplicate", "POST", "email-templates", [:], Self.body("x", ["domain": "*"]))
        let second = try #require(
            try site.does("POST", "email-templates", [:], Self.body("x", ["domain": "Example.com"]))["emailTemplate"])
        #expect(second["domain"] == "example.com")
        let id = try #require(made["_id"]?.string)
        #expect(try site.does("GET", "email-templates")["emailTemplates"] == [made, second])
        #expect(try site.does("GET", "email-templates", ["skip": "1"])["emailTemplates"] == [second])
        #expect(try site.does("GET", "email-templates", ["page": "1"])["emailTemplates"] == [])
        try site.refuses(422, "duplicate", "PATCH", "email-templates/\(id)", [:], ["domain": "example.com"])
        try site.refuses(422, "does-not-render", "PATCH", "email-templates/\(id)", [:], ["testData": [:]])
        try site.does("PATCH", "email-templates/\(id)", [:], ["ejs": "<%= other %>", "testData": ["other": 1]])
        let changed = try site.does("GET", "email-templates/\(id)")["emailTemplate"]
        #expect(
            changed?["ejs"] == "<%= other %>" && changed?["updatedAt"] != .null && changed?["displayName"] == "Mine")
        try site.does("DELETE", "email-templates/\(id)")
        for (method, path, body) in [
            ("GET", "", nil), ("PATCH", "", ["ejs": "x"]), ("DELETE", "", nil), ("GET", "/render-errors", nil),
            ("DELETE", "/render-errors/x", nil),
        ] as [(String, String, JSONValue?)] {
            try site.refuses(404, "not-found", method, "email-templates/\(id)\(path)", [:], body)
        }
        let other = try Site()
        let foreign = try #require(second["_id"]?.string)
        try other.refuses(404, "not-found", "GET", "email-templates/\(foreign)")
        try other.refuses(404, "not-found", "DELETE", "email-templates/\(foreign)")
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let cases: [(String, JSONValue)] = [
            ("empty-request", [:]), ("invalid-input", ["ejs": "x", "displayName": "x"]),
            ("invalid-input", ["emailTemplateId": "login", "ejs": "x"]),
            ("invalid-input", ["emailTemplateId": "login", "displayName": "x"]),
            ("invalid-email-template-id", ["emailTemplateId": "none", "displayName": "x", "ejs": "x"]),
            ("domain-invalid", Self.body("x", ["domain": "nowhere.test"])),
            ("domain-invalid", Self.body("x", ["domain": "a b"])), ("unexpected-param", Self.body("x", ["more": 1])),
            ("does-not-render", Self.body("<%= none %>")), ("invalid-input", Self.body("x", ["testData": "x"])),
            ("invalid-input", Self.body("x", ["translationOverridesByLocale": ["en_us": ["A": 1]]])),
            ("invalid-input", Self.body("x", ["translationOverridesByLocale": ["en_us": "A"]])),
            ("invalid-input", Self.body("x", ["displayName": ""])),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "email-templates", [:], body) }
        try site.refuses(422, "empty-request", "POST", "email-templates/render", [:], [:])
        try site.refuses(422, "unexpected-param", "POST", "email-templates/render", [:], Self.body("x", ["more": 1]))
        try site.refuses(422, "invalid-skip", "GET", "email-templates", ["skip": "-1"])
    }

    @Test func failuresOfATemplateAreKeptWithIt() throws {
        let site = try Site()
        let source = "<%= toName %>"
        let id = try #require(
            try site.does("POST", "email-templates", [:], Self.body(source))["emailTemplate", "_id"]?.string)
        for _ in 1...2 {
            let answer = try site.api(
                "POST", "email-templates/render", [:], Self.rendering(source, ["testData": ["x": 1]]))
            #expect(answer.status == 422 && answer.code == "does-not-render")
        }
        let path = "email-templates/\(id)/render-errors"
        let errors = try #require(try site.does("GET", path)["renderErrors"]?.array)
        #expect(errors.count == 1 && errors[0]["count"] == 2 && errors[0]["customTemplateId"]?.string == id)
        #expect(errors[0]["error"] == "Line 1: The data has no toName.")
        #expect(try site.does("GET", path, ["skip": "1"])["renderErrors"] == [])
        let error = try #require(errors[0]["id"]?.string)
        try site.does("DELETE", "\(path)/\(error)")
        try site.refuses(404, "not-found", "DELETE", "\(path)/\(error)")
        #expect(try site.does("GET", path)["renderErrors"] == [])
    }
}

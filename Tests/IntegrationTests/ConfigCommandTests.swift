import Foundation
import JSON
import SQLite
import TestSupport
import Testing
import WebSocket

/// `parley config`, beside a running server and alone.
@Suite struct ConfigCommandTests {
    private let site: CommandSite

    init() throws { site = try CommandSite(tenants: "site:KEY,other:KEY2", loops: 2) }

    private func config(_ words: String...) throws -> Command { try site.run(["config"] + words) }

    private func reader(_ person: Person? = nil, at page: String = "page") throws -> Reader {
        try site.reader(person, at: page)
    }

    private func customConfig(_ page: String = "page") throws -> JSONValue? {
        try reader(at: page).comments(["includeConfig": "true"])["customConfig"]
    }

    @Test func aValueHoldsWithTheNextRequest() throws {
        let set = try config("set", "maxCommentCharacterLength", "5", "--tenant", "site")
        #expect(set.status == 0 && set.output == "maxCommentCharacterLength is 5.\n", "\(set)")
        #expect(try reader(.ann).post("123456").code == "comment-too-big")
        #expect(try config("set", "defaultUsername", "Some body", "--tenant", "site").status == 0)
        #expect(try config("set", "restrictedLinkDomains", #"["Example.com"]"#, "--tenant", "site").status == 0)
        #expect(try config("set", "readonly", "true", "--tenant", "site", "--page", "archive/*").status == 0)
        let all = """
            {"defaultUsername":"Some body","maxCommentCharacterLength":5,"restrictedLinkDomains":["example.com"]}
            """
        #expect(try config("get", "--tenant", "site").output == all + "\n")
        #expect(try customConfig() == JSONValue.parse(all))
        #expect(try config("get", "readonly", "--tenant", "site", "--page", "archive/1").output == "true\n")
        #expect(try reader(.ann, at: "archive/1").post("1234").code == "locked")
        #expect(try reader(.ann, at: "archiv").post("1234").isSuccess)
        #expect(try config("unset", "readonly", "--tenant", "site", "--page", "archive/*").status == 0)
        #expect(try reader(.ann, at: "archive/1").post("1234").isSuccess)
        let again = try config("unset", "readonly", "--tenant", "site", "--page", "archive/*")
        #expect(again.status == 0 && again.output == "readonly was not set there.\n")
        #expect(try site.server.reader(nil, of: #require(site.server.tenants.last), at: "page").comments().isSuccess)
    }

    @Test func whatADomainForbidsIsToldForItsPagesAndForThoseThatTellNoSite() throws {
        for domain in [["--domain", "blog.example.com"], ["--domain", "BLOG.example.com"]] {
            let set = try site.run(["config", "set", "readonly", "true", "--tenant", "site"] + domain)
            #expect(set.status == 0 && set.output == "readonly is true.\n", "\(set)")
        }
        let found = { (words: String...) in
            try site.run(["config", "get", "--tenant", "site"] + words).output
        }
        #expect(try found("--domain", "blog.example.com") == #"{"readonly":true}"# + "\n")
        #expect(try found("--domain", "other.example.com") == "{}\n")
        #expect(try found("--domain", "other.example.com", "--page", "short-id") == #"{"readonly":true}"# + "\n")
        #expect(try found("--page", "https://other.example.com/") == "{}\n")
        #expect(try reader(.ann, at: "short-id").post("Hello").code == "locked")
        #expect(try config("--help").output.contains("the strictest value of any HOST"))
    }

    @Test func aFileIsTheWholeConfigurationAndComesBackAsItIs() throws {
        let example = FileManager.default.currentDirectoryPath + "/config/widget.example.json"
        let imported = try config("import", example, "--tenant", "site")
        #expect(imported.output == "Tenant site has 4 rules now, in place of 0 rules.\n", "\(imported)")
        #expect(try customConfig("https://example.com/archive/1")?["readonly"] == true)
        #expect(try customConfig("https://a.forum.example.com/")?["maxCommentCharacterLength"] == nil)
        let listed = try config("list", "--tenant", "site").output
        let file = try site.folder.write("listed.json", listed)
        #expect(try config("import", file, "--tenant", "other").status == 0)
        #expect(try config("list", "--tenant", "other").output == listed)
        let none = try site.folder.write("none.json", #"{"rules": []}"#)
        #expect(
            try config("import", none, "--tenant", "site").output
                == "Tenant site has 0 rules now, in place of 4 rules.\n")
        #expect(try customConfig("https://example.com/archive/1") == [:])
        #expect(try config("list", "--tenant", "site").output == #"{"rules":[{"settings":{}}]}"# + "\n")
    }

    @Test(arguments: [
        ("nonsense", "JSON"), ("[]", "rules"), (#"{"rules": 1}"#, "rules"), (#"{"rules": [], "x": 1}"#, "rules"),
        (#"{"rules": [{"settings": {"pageSize": 10}}, {"page": "a"}]}"#, "Rule 2"),
        (#"{"rules": [{"settings": {"pageSize": 9}}]}"#, "Rule 1: pageSize must be a whole number from 10 to 200"),
        (#"{"rules": [{"settings": {"pagesize": 10}}]}"#, "Did you mean pageSize?"),
        (#"{"rules": [{"settings": {}, "pages": "a"}]}"#, "pages"),
        (#"{"rules": [{"settings": {}, "page": ""}]}"#, "names no page"),
        (#"{"rules": [{"settings": {}, "domain": "http://x.com"}]}"#, "host name"),
        (#"{"rules": [{"settings": {}}, {"page": "*", "settings": {}}]}"#, "second one for all"),
        (#"{"rules": [{"page": "a", "settings": {}}, {"page": "a", "settings": {}}]}"#, "second one"),
        (#"{"rules": [], "rules": []}"#, "the one key"),
        (#"{"rules": [{"settings": {}, "page": "a", "page": "b"}]}"#, "Rule 1 has the key \"page\" twice"),
        (#"{"rules": [{"settings": {"pageSize": 10, "pageSize": 20}}]}"#, "Rule 1: pageSize is there twice"),
        (#"{"rules": [{"settings": {"tos": {"enabled": true, "enabled": false}}}]}"#, "tos has \"enabled\" twice"),
        (#"{"rules": [{"settings": {"translations": {"A": ""}}}]}"#, "Rule 1: translations must be"),
    ])
    func aWrongFileChangesNothing(_ content: String, _ word: String) throws {
        #expect(try config("set", "pageSize", "20", "--tenant", "site").status == 0)
        let file = try site.folder.write("wrong.json", content)
        let command = try config("import", file, "--tenant", "site")
        #expect(command.status == 1)
        #expect(command.errors.hasPrefix("parley config: \(file): ") && command.errors.contains(word), "\(command)")
        #expect(try customConfig() == ["pageSize": 20])
    }

    @Test func whatCannotBeSetIsRefusedWithASentence() throws {
        for (words, part) in [
            (["set", "pageSize", "9", "--tenant", "site"], "pageSize must be a whole number from 10 to 200. It is: 9"),
            (["set", "pageSize", "", "--tenant", "site"], "pageSize must be"),
            (["set", "pagesize", "10", "--tenant", "site"], "Did you mean pageSize?"),
            (["set", "urlId", "x", "--tenant", "site"], "option of the widget"),
            (["set", "readonly", "yes", "--tenant", "site"], "readonly must be true or false."),
            (["set", "readonly", "null", "--tenant", "site"], "unset"),
            (["set", "readonly", "true"], "Say which --tenant. There are: "),
            (["set", "readonly", "true", "--tenant", "nobody"], "There is no tenant nobody."),
            (["set", "readonly", "true", "--tenant", "site", "--page", "undefined"], "names no page"),
            (["set", "readonly", "true", "--tenant", "site", "--domain", "a/b"], "host name"),
            (["get", "--tenant", "site", "--page", "a*"], "without *"),
            (["get", "readonly", "--tenant", "site"], "readonly is not set."),
            (["list", "--tenant", "site", "--page", "a"], "all rules"),
            (["import", "missing.json", "--tenant", "site"], "no file missing.json"),
            (["set", "readonly", "--tenant", "site"], "Say set KEY VALUE"), ([], "Say set KEY VALUE"),
        ] as [([String], String)] {
            let command = try site.run(["config"] + words)
            #expect(command.status == 1 && command.output.isEmpty)
            #expect(command.errors.hasPrefix("parley config: ") && command.errors.contains(part), "\(command.errors)")
        }
        #expect(try config("list", "--tenant", "site").output == #"{"rules":[{"settings":{}}]}"# + "\n")
        let keys = try config("keys").output
        #expect(
            keys.contains("\n! readonly ") && keys.contains("\n  pageSize ")
                && keys.contains("a whole number from 10 to 200"))
    }

    @Test func openPagesAreToldWhatConcernsThem() throws {
        let room = "https://example.com/blog/1"
        let live = try reader(.ann, at: room).listen()
        let second = try reader(at: room).listen()
        let elsewhere = try reader(at: "page").listen()
        #expect(try config("set", "pageSize", "50", "--tenant", "other").status == 0)
        #expect(try config("set", "pageSize", "50", "--tenant", "site", "--page", "*/blog/*").status == 0)
        #expect(try config("set", "maxCommentCharacterLength", "100", "--tenant", "site").status == 0)
        // Two changes within one look of the server may come as one event.
        var known: [String: JSONValue] = [:]
        while known.count < 2 {
            let event = try live.event("new-config")
            for (name, value) in event["config"]?.object?.members ?? [] { known[name] = value }
            #expect(event["timestamp"]?.integer != nil && event["broadcastId"]?.string != nil)
        }
        #expect(known == ["pageSize": 50, "maxCommentCharacterLength": 100])
        #expect(try second.event("new-config")["config", "pageSize"] == 50)
        #expect(
            try elsewhere.event("new-config")["config"]
                == ["maxCommentCharacterLength": 100])
        #expect(try config("unset", "pageSize", "--tenant", "site", "--page", "*/blog/*").status == 0)
        #expect(
            try live.event("new-config")["config"]
                == ["maxCommentCharacterLength": 100, "pageSize": nil])
        // It is no event that one could have missed.
        #expect(try reader(.ann, at: room).log(token: nil).isEmpty)
    }

    @Test func strangersAreSentAwayWhereSignOnBecomesNeeded() throws {
        let live = try reader(at: "members").listen()
        let id = try reader(.ann, at: "members").posted("Before")
        #expect(try live.event("new-comment").subject == id)
        #expect(try config("set", "requireSSO", "true", "--tenant", "site", "--page", "members").status == 0)
        #expect(try live.event("new-config")["config"] == ["requireSSO": true])
        #expect(try live.nextClose() == .serviceRestart)
        #expect(try reader(at: "members").comments().code == "unauthorized-page")
    }

    @Test func eventsOfAnotherProgramReachTheSocketsOnceAndInOrder() throws {
        let live = try reader(.ann).listen()
        let first = try reader(.bob).posted("Before")
        let stamp = try live.event("new-comment").stamp
        let connection = try Connection(path: site.folder.path + "/data/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        for number in 1...3 {
            try connection.execute(
                script: """
                    INSERT INTO event_log (id, tenant_id, room, stamp, published_at, broadcast_id, audience, identity, data)
                    VALUES ('foreign-\(number)', 'site', 'page', \(stamp + Int64(number) * 2), \(SSO.now), 'b', 0, '',
                            '{"type":"thread-state-change","isClosed":false,"number":\(number)}')
                    """)
        }
        for number in 1...3 {
            let event = try live.event("thread-state-change")
            #expect(event["number"] == .integer(Int64(number)))
        }
        let last = try reader(.bob).posted("After")
        #expect(try live.settled().map(\.brief) == ["new-comment \(last)"])
        #expect(try reader(.ann).log(token: nil).count == 5)
        #expect(first != last)
    }
}

import Foundation
import JSON
import TestSupport
import Testing

/// The commands, beside a running server and alone.
@Suite struct SeedAndCommandTests {
    let folder: Folder
    /// The data folder of the server and the commands.
    private var data: String { folder.path + "/data" }

    init() throws { folder = try Folder() }

    private func parley(_ words: String..., environment: [String: String] = [:]) throws -> Command {
        try Command(ParleyProcess.binary(), words, in: folder, environment: environment)
    }

    private func tenant(_ id: String, printedBy command: Command) throws -> ParleyProcess.Tenant {
        let line = command.output.split(separator: "\n").first { $0.hasPrefix("API key") }
        let key = try #require(line?.split(separator: " ").last, "\(command)")
        return ParleyProcess.Tenant(id: id, apiKey: String(key))
    }

    private func seed(_ content: String) throws -> Command {
        let file = try folder.write("seed.json", content)
        return try parley("seed", file, "--data", data)
    }

    private static let seed = """
        {"tenants": [{"id": "seeded", "key": "SEEDKEY", "settings": {"defaultSortDirection": "OF"}}],
         "people": [{"tenant": "seeded", "id": "1", "username": "reader", "email": "reader@example.com"},
                    {"tenant": "seeded", "id": "2", "username": "chief", "isAdmin": true}],
         "pages": [{"tenant": "seeded", "urlId": "hello", "title": "Hello", "comments": [
            {"author": "1", "comment": "First", "date": 1700000000000,
             "replies": [{"name": "Guest", "comment": "A reply", "isLocked": true,
                          "replies": [{"author": "2", "comment": "Deeper"}]}]},
            {"author": "2", "comment": "Second, **pinned**", "isPinned": true}]},
            {"tenant": "seeded", "urlId": "closed", "isClosed": true}]}
        """

    @Test func aSeedFileMakesAKnownState() throws {
        let server = try ParleyProcess(.data(data))
        let command = try seed(Self.seed)
        #expect(command.status == 0, "\(command)")
        #expect(command.output.contains("tenants: 1, people: 2, pages: 2, comments: 4"))
        let tenant = ParleyProcess.Tenant(id: "seeded", apiKey: "SEEDKEY")
        let reader = try server.reader(Person("1", username: "reader"), of: tenant, at: "hello")
        let page = try reader.comments(["asTree": "true", "countAll": "true", "countChildren": "true"])
        #expect(page["commentCount"] == 4)
        let roots = page["comments"]?.array ?? []
        #expect(roots.map { $0["isPinned"]?.bool ?? false } == [true, false], "the oldest first, below the pin")
        #expect(roots.first?["commentHTML"]?.string?.contains("pinned") == true)
        #expect(roots.first?["isByAdmin"] == true)
        #expect(roots.last?["date"] == "2023-11-14T22:13:20.000Z")
        #expect(roots.last?["userId"] == "seeded:1")
        #expect(roots.last?["children", 0, "commenterName"] == "Guest")
        #expect(roots.last?["children", 0, "isLocked"] == true)
        #expect(roots.last?["children", 0, "children", 0, "commentHTML"] == "Deeper")
        let first = try #require(roots.last?.id)
        #expect(try reader.edit(first, "Mine to change").isSuccess)
        #expect(try reader.on("closed").post("Too late").code == "locked")
        #expect(try reader.on("closed").comments()["isClosed"] == true)
    }

    @Test func aWrongSeedFileChangesNothing() throws {
        let server = try ParleyProcess(.data(data))
        for (content, word) in [
            ("{\"tenants\": [{\"id\": \"half\", \"kye\": \"X\"}]}", "kye"), ("nonsense", "JSON"),
            ("{\"tenants\": [{\"id\": \"half\"}], \"pages\": [{\"tenant\": \"nobody\", \"urlId\": \"x\"}]}", "nobody"),
        ] {
            let command = try seed(content)
            #expect(command.status == 1)
            #expect(command.errors.contains(word), "\(command)")
        }
        #expect(try parley("seed", "no-such-file.json", "--data", data).errors.contains("no-such-file.json"))
        #expect(try server.client().request("GET", "/comments/half", ["urlId": "x"]).code == "invalid-tenant")
    }

    @Test func tenantsAreMadeListedAndRekeyedBesideTheServer() throws {
        let server = try ParleyProcess(.data(data))
        let created = try parley("tenant", "create", "blog", "--name", "My blog", "--data", data)
        #expect(created.status == 0, "\(created)")
        let old = try tenant("blog", printedBy: created)
        let ann = try server.reader(.ann, of: old, at: "page")
        let id = try ann.posted("Signed with the first key")
        let list = try parley("tenant", "list", "--data", data)
        #expect(list.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["demo", "blog"])
        #expect(list.output.contains("My blog"))
        #expect(!list.output.contains(old.apiKey))

        let new = try tenant("blog", printedBy: parley("tenant", "rotate-key", "blog", "--data", data))
        #expect(new.apiKey != old.apiKey)
        for key in [old, new] {
            #expect(try server.reader(.ann, of: key, at: "page").edit(id, "Signed with \(key.apiKey)").isSuccess)
        }
        let newest = try tenant(
            "blog", printedBy: parley("tenant", "rotate-key", "blog", "--overlap", "0", "--data", data))
        #expect(try server.reader(.ann, of: newest, at: "page").comments().isSuccess)
        for key in [old, new] {
            #expect(try server.reader(.ann, of: key, at: "page").comments().code == "malformed-sso")
        }
        for words in [["create", "blog"], ["create", "no spaces"], ["rotate-key", "nobody"], ["rename", "x"]] {
            let refused = try Command(
                ParleyProcess.binary(), ["tenant"] + words + ["--data", data], in: folder)
            #expect(refused.status == 1)
            #expect(refused.errors.hasPrefix("parley tenant: "))
        }
    }

    @Test func aKeyThatWasReplacedStaysReplacedThoughTheSettingsNameIt() throws {
        let settings = ["PARLEY_TENANTS": "site:OLDKEY"]
        let old = ParleyProcess.Tenant(id: "site", apiKey: "OLDKEY")
        let server = try ParleyProcess(.data(data), environment: settings)
        #expect(try server.reader(.ann, of: old, at: "page").comments().isSuccess)
        let command = try parley("tenant", "rotate-key", "site", "--overlap", "0", "--data", data)
        let new = try tenant("site", printedBy: command)
        try server.terminate()
        let next = try ParleyProcess(.data(data), environment: settings)
        #expect(next.tenants == [new])
        #expect(try next.reader(.ann, of: new, at: "page").comments().isSuccess)
        #expect(try next.reader(.ann, of: old, at: "page").comments().code == "malformed-sso")
    }

    @Test func aSignOnTokenOfTheCommandIsBelieved() throws {
        let server = try ParleyProcess(.data(data))
        let words = ["--id", "7", "--email", "seven@example.com", "--username", "Seven", "--data", data]
        let command = try Command(ParleyProcess.binary(), ["sso-token", "demo"] + words + ["--admin"], in: folder)
        let token = command.output.trimmingCharacters(in: .newlines)
        let reader = Reader(try server.client(), tenant: "demo", page: "page", sso: token)
        let page = try reader.comments()
        #expect(page["user", "id"] == "demo:7")
        #expect(page["isSiteAdmin"] == true)
        let encoded = try Command(ParleyProcess.binary(), ["sso-token", "demo"] + words + ["--encoded"], in: folder)
        let path = "/comments/demo?urlId=page&sso=" + encoded.output.trimmingCharacters(in: .newlines)
        #expect(try server.client().request("GET", path)["user", "username"] == "Seven")
        let unknown = try Command(ParleyProcess.binary(), ["sso-token", "nobody"] + words, in: folder)
        #expect(unknown.errors.contains("nobody"))
        #expect(unknown.status == 1)
    }

    @Test func anEphemeralServerLeavesNothingBehind() throws {
        let server = try ParleyProcess()
        #expect(server.webSocketURL == server.url.replacingOccurrences(of: "http", with: "ws") + "/sub")
        #expect(server.tenants.map(\.id) == ["demo"])
        _ = try server.reader(.ann, of: server.tenants[0], at: "page").posted("Not for long")
        #expect(server.files.contains { $0.hasPrefix("parley-") } && server.files.contains("ready.json"))
        #expect(try server.terminate() == .status(0))
        #expect(server.files == ["stderr"])
    }

    @Test func aSecondServerStaysOutOfTheFolder() throws {
        let server = try ParleyProcess(.data(data))
        let fault = #expect(throws: StartFault.self) { try ParleyProcess(.data(data)) }
        #expect(fault?.description.contains("Another server uses the data folder \(data)") == true)
        #expect(try server.client().request("GET", "/healthz").status == 200)
    }
}

// MARK: Configuration

extension SeedAndCommandTests {
    @Test(
        arguments: [
            (["PARLEY_PROT": "8080"], [], "PARLEY_PROT"), (["PARLEY_PORT": "many"], [], "PARLEY_PORT"),
            (["PARLEY_PORT": "65536"], [], "PARLEY_PORT"), (["PARLEY_LOOPS": "0"], [], "PARLEY_LOOPS"),
            (["PARLEY_LOOPS": "65"], [], "PARLEY_LOOPS"), (["PARLEY_LOG_LEVEL": "loud"], [], "PARLEY_LOG_LEVEL"),
            (["PARLEY_LOG_FORMAT": "xml"], [], "PARLEY_LOG_FORMAT"),
            (["PARLEY_TENANTS": "no key"], [], "PARLEY_TENANTS"),
            (["PARLEY_PUBLIC_URL": "ftp://x"], [], "PARLEY_PUBLIC_URL"),
            (["PARLEY_TLS_CERT": "x"], [], "PARLEY_TLS_KEY"), (["PARLEY_GIF_URL": "ftp://x"], [], "PARLEY_GIF_URL"),
            (["PARLEY_GIF_URL": "http://x/?q"], [], "PARLEY_GIF_URL"),
            (["PARLEY_OUTBOUND_ALLOW": "http://x"], [], "PARLEY_OUTBOUND_ALLOW"),
            (["PARLEY_OUTBOUND_CA": "missing", "PARLEY_GIPHY_KEY": "k"], [], "PARLEY_OUTBOUND_CA"),
            (["PARLEY_TENANTS_FILE": "missing"], [], "PARLEY_TENANTS_FILE"),
            (["PARLEY_WEBHOOK_RETRY": "0"], [], "PARLEY_WEBHOOK_RETRY"),
            (["PARLEY_WEBHOOK_RETRY": "-1"], [], "PARLEY_WEBHOOK_RETRY"),
            (["PARLEY_WEBHOOK_RETRY": "3601"], [], "PARLEY_WEBHOOK_RETRY"),
            (["PARLEY_WEBHOOK_RETRY": "9223372036854775807"], [], "PARLEY_WEBHOOK_RETRY"),
            (["PARLEY_WEBHOOK_RETRY": "92233720368547758080"], [], "PARLEY_WEBHOOK_RETRY"),
            (["PARLEY_WEBHOOK_RETRY": "1.5"], [], "PARLEY_WEBHOOK_RETRY"),
            (["PARLEY_ENVIRONMENT": "lab"], [], "lab.json"),
            ([:], ["--prot", "8080"], "--prot"), ([:], ["--port"], "--port"), ([:], ["--port", "-1"], "--port"),
            ([:], ["--loops=many"], "--loops"), ([:], ["word"], "word"),
        ] as [([String: String], [String], String)])
    func aWrongSettingStopsTheStartByName(_ environment: [String: String], _ words: [String], _ name: String) throws {
        let command = try Command(
            ParleyProcess.binary(), ["serve", "--ephemeral"] + words, in: folder, environment: environment)
        #expect(command.status == 1)
        #expect(command.output.isEmpty)
        #expect(command.errors.hasPrefix("parley serve: "))
        #expect(command.errors.contains(name), "\(command.errors)")
        #expect(folder.names.isEmpty, "nothing was made")
    }

    @Test(arguments: [("{\"prot\": 1}", "prot"), ("{\"port\": \"many\"}", "port"), ("[]", "default.json")])
    func aWrongConfigurationFileStopsTheStartByName(_ content: String, _ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/config", withIntermediateDirectories: false)
        try folder.write("config/default.json", content)
        let command = try parley("serve", "--ephemeral")
        #expect(command.status == 1)
        #expect(command.errors.contains("config/default.json"))
        #expect(command.errors.contains(name), "\(command.errors)")
    }

    @Test func theLaterSettingWins() throws {
        try folder.write("settings.json", "{}")
        try FileManager.default.createDirectory(atPath: folder.path + "/lab", withIntermediateDirectories: false)
        try folder.write("lab/default.json", "{\"tenants\": [\"first:KEY\"], \"logFormat\": \"json\"}")
        try folder.write("lab/night.json", "{\"tenants\": \"second:KEY2\"}")
        let environment = ["PARLEY_CONFIG": folder.path + "/lab", "PARLEY_ENVIRONMENT": "night"]
        let server = try ParleyProcess(environment: environment)
        #expect(server.tenants == [.init(id: "second", apiKey: "KEY2")])
        try server.terminate()
        #expect(server.errorOutput.hasPrefix("{"))
        let flagged = try ParleyProcess(
            environment: environment.merging(["PARLEY_TENANTS": "third:K3"]) { $1 },
            arguments: ["--tenants", "fourth:K4", "--log-format", "text"])
        #expect(flagged.tenants.map(\.id) == ["fourth"])
        try flagged.terminate()
        #expect(flagged.errorOutput.contains("stopped") && !flagged.errorOutput.hasPrefix("{"))
    }

    @Test(arguments: ["serve", "seed", "tenant", "config", "sso-token", "dev-cert", "doctor", "health", "version"])
    func everyCommandExplainsItself(_ name: String) throws {
        let command = try parley(name, "--help")
        #expect(command.status == 0)
        #expect(command.output.contains("Usage: parley \(name)"))
        #expect(command.output.contains("Example:"))
    }

    @Test func anUnknownCommandIsRefused() throws {
        #expect(try parley("sevre").status == 2)
        #expect(try parley().status == 2)
        #expect(try parley("version").output.hasPrefix("parley "))
    }

    @Test func theHealthCommandKnowsWhetherAServerIsWell() throws {
        let server = try ParleyProcess(.data(data))
        #expect(try parley("health", "--port", "\(server.port)").status == 0)
        try server.terminate()
        let command = try parley("health", "--port", "\(server.port)")
        #expect(command.status == 1)
        #expect(command.errors.contains("\(server.port)"))
    }
}

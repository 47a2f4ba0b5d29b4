import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// Keys that open the API alone: `parley key` (contract: admin 1.1).
@Suite struct KeyCommandTests {
    private let folder: Folder
    private let server: ParleyProcess

    init() throws {
        folder = try Folder()
        server = try ParleyProcess(
            .data(folder.path + "/data"), environment: ["PARLEY_LOOPS": "2", "PARLEY_TENANTS": "site:KEY,other:KEY2"])
    }

    private func key(_ words: String...) throws -> Command {
        try Command(ParleyProcess.binary(), ["key"] + words + ["--data", folder.path + "/data"], in: folder)
    }

    private func parts(_ run: Command) throws -> (id: String, key: String) {
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0, "\(run.errors)")
        let id = try #require(lines.first?.split(separator: " ").last)
        return (String(id), String(try #require(lines.dropFirst().first?.split(separator: " ").last)))
    }

    private func code(_ key: String, tenant: String = "site") throws -> String? {
        let answer = try server.client().request(
            "GET", "/api/v1/pages", ["tenantId": tenant], headers: [("x-api-key", key)])
        return answer.isSuccess ? nil : answer.code
    }

    @Test func aKeyIsShownOnceAndKeptAsAHash() throws {
        let made = try parts(try key("create", "site", "--api-only"))
        #expect(made.key.utf8.count == 50)
        #expect(try code(made.key) == nil)
        #expect(try code(made.key, tenant: "other") == "invalid-api-key")
        let list = try key("list", "site").output
        #expect(list.contains(made.id) && list.contains(made.key.prefix(6)) && !list.contains(made.key))
        // It signs nothing.
        let signed = Reader(
            try server.client(), tenant: "site", page: "page", sso: SSO.secure(.admin, key: made.key))
        #expect(try signed.comments().code == "malformed-sso")
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare("SELECT key_hash FROM api_token")
        #expect(try statement.step())
        #expect(statement.text(0) != made.key && statement.text(0).utf8.count == 64)
        try eventually { try !key("list", "site").output.contains("used never") }
    }

    @Test func anOldKeyOverlapsWithTheNewOneUntilItIsRevoked() throws {
        let first = try parts(try key("create", "site", "--api-only"))
        let second = try parts(try key("rotate", "site", first.id))
        #expect(try code(first.key) == nil && code(second.key) == nil && code("KEY") == nil)
        #expect(try key("revoke", "site", first.id).status == 0)
        #expect(try code(first.key) == "invalid-api-key")
        #expect(try code(second.key) == nil)
        let rotated = try key("rotate", "site", second.id, "--overlap", "0")
        #expect(rotated.output.contains("The old key has ended."))
        let third = try parts(rotated)
        #expect(try code(second.key) == "invalid-api-key")
        #expect(try code(third.key) == nil)
        #expect(try key("list", "site").output.split(separator: "\n").count == 1)
    }

    @Test func theCommandSaysWhatIsWrong() throws {
        let made = try parts(try key("create", "site", "--api-only"))
        for words in [
            ["create", "site"], ["create", "unknown", "--api-only"], ["list", "unknown"], ["list"],
            ["revoke", "site", "unknown"], ["revoke", "other", made.id], ["rotate", "other", made.id],
            ["rotate", "site", made.id, "--overlap", "8761"], ["dance"],
        ] {
            let run = try Command(
                ParleyProcess.binary(), ["key"] + words + ["--data", folder.path + "/data"], in: folder)
            #expect(run.status == 1, "\(words)")
            #expect(run.errors.hasPrefix("parley key: "), "\(words): \(run.errors)")
        }
        #expect(try code(made.key) == nil)
    }
}

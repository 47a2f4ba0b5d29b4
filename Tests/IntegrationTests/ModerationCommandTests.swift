import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// `parley moderation`, beside a running server.
@Suite struct ModerationCommandTests {
    private let site: CommandSite

    init() throws { site = try CommandSite() }

    private func moderation(_ words: String...) throws -> Command { try site.run(["moderation"] + words) }

    private func post(_ text: String) throws -> Answer { try site.reader(.ann).post(text) }

    @Test func aSettingHoldsWithTheNextComment() throws {
        #expect(try moderation("get").output == "{}\n")
        #expect(try post("One")["comment", "approved"] == true)
        let set = try moderation("set", "commentsRequireApproval", "true")
        #expect(set.status == 0 && set.output == "commentsRequireApproval is true.\n", "\(set)")
        #expect(try post("Two")["comment", "approved"] == false)
        #expect(try moderation("set", "profanityWords", #"["heck*"]"#, "--tenant", "site").status == 0)
        #expect(try post("a hecking b")["comment", "commentHTML"] == "a ******* b")
        #expect(try moderation("get", "commentsRequireApproval").output == "true\n")
        #expect(try moderation("unset", "commentsRequireApproval").status == 0)
        #expect(try moderation("unset", "commentsRequireApproval").output == "commentsRequireApproval was not set.\n")
        #expect(try post("Three")["comment", "approved"] == true)
        #expect(try moderation("get").output == #"{"profanityWords":["heck*"]}"# + "\n")
    }

    @Test func whatIsWrongIsNamed() throws {
        for (words, part) in [
            (["set", "blockSpam", "yes"], "blockSpam must be true or false."),
            (["set", "blockSpam", "null"], "unset"),
            (["set", "autoUnapproveFlagThreshold", "0"], "autoUnapproveFlagThreshold must be"),
            (["set", "nothing", "1"], "There is no setting \"nothing\"."),
            (["get", "nothing"], "There is no setting \"nothing\"."), (["get", "blockSpam"], "blockSpam is not set."),
            (["get", "--tenant", "other"], "There is no tenant other."), ([], "Say get"),
        ] {
            let answer = try site.run(["moderation"] + words)
            #expect(answer.status == 1 && answer.errors.contains(part), "\(answer)")
        }
        #expect(try moderation("get").output == "{}\n")
        let keys = try moderation("keys").output
        #expect(keys.contains("repeatAction") && keys.contains("repetitions are 0 taken, 1 refused, 2 spam (1)"))
        #expect(try moderation("--help").output.contains("Example:"))
    }

    @Test func commentsOfAuthorsWhoNeverProvedTheirAddressGo() throws {
        let guest = try site.reader()
        let extras: JSONValue = ["commenterName": "Guest", "commenterEmail": "guest@example.com"]
        for text in ["Old", "Approved", "Young", "Locked"] {
            #expect(try guest.post(text, extras: extras).isSuccess)
        }
        #expect(try post("Signed").isSuccess)
        let path = site.folder.path + "/data/parley.db"
        let connection = try Connection(path: path, access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(
            script: """
                UPDATE comment SET created_at = created_at - 259200000 - 60000 WHERE source <> 'Young';
                UPDATE comment SET is_reviewed = 1 WHERE source = 'Approved';
                UPDATE comment SET is_locked = 1 WHERE source = 'Locked';
                """)
        #expect(try moderation("set", "removeUnverifiedComments", "true").status == 0)
        func sources() throws -> [String] {
            let statement = try connection.prepare("SELECT source FROM comment ORDER BY source")
            var rows: [String] = []
            while try statement.step() { rows.append(statement.text(0)) }
            return rows
        }
        let deadline = Deadline.usual
        while try sources().contains("Old") {
            guard deadline.milliseconds > 0 else { throw ConnectionFault.timedOut }
        }
        #expect(try sources() == ["Approved", "Locked", "Signed", "Young"])
    }
}

import JSON
import SQLite
import TestSupport
import Testing

/// Counts that are kept, against what they count.
@Suite struct DoctorTests {
    @Test func wrongCountsAreFoundAndRepairedBesideTheServer() throws {
        let folder = try Folder()
        let scene = try Scene(in: folder)
        let admin = try scene.reader(.admin)
        let data = folder.path + "/data"
        for number in 0..<3 { _ = try admin.posted("Number \(number)") }
        func doctor(_ words: String...) throws -> Command {
            try Command(ParleyProcess.binary(), ["doctor", "--data", data] + words, in: folder)
        }
        func count() throws -> Int64? {
            try admin.client.request(
                "GET", "/auth/my-account/moderate-comments/count", ["tenantId": admin.tenant, "sso": admin.sso]
            )["count"]?.integer
        }
        let well = try doctor("--check")
        #expect(well.status == 0)
        #expect(well.output == "All counts are right.\n")
        #expect(try count() == 3)

        let connection = try Connection(path: data + "/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(
            script: "UPDATE comment_count SET count = 7; INSERT INTO comment_count SELECT id, 31, 1 FROM tenant")
        #expect(try count() == 8)
        let check = try doctor("--check")
        #expect(check.status == 1)
        #expect(check.output.contains("comments that are approved, reviewed: 7 instead of 3"))
        #expect(check.output.contains("approved, spam, reviewed, flagged, locked: 1 instead of 0"))
        #expect(try count() == 8, "a check changes nothing")
        let repair = try doctor()
        #expect(repair.status == 0)
        #expect(repair.output.contains("all repaired"))
        #expect(try count() == 3)
        #expect(try doctor("--check").status == 0)
        #expect(try doctor("--chekc").status == 1)

        try connection.execute(script: "BEGIN IMMEDIATE")
        #expect(try doctor("--check").status == 0, "a check waits for nobody who writes")
        try connection.execute(script: "COMMIT")
    }
}

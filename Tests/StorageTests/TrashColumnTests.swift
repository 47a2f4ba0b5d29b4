import Domain
import Testing

@testable import Storage

/// What is removed is kept row by row, as `SELECT *`, which needs equal columns.
@Suite struct TrashColumnTests {
    @Test(arguments: [
        ("comment", "trash_comment"), ("vote", "trash_vote"), ("comment_flag", "trash_flag"),
        ("comment_hash_tag", "trash_hash_tag"),
    ])
    func theTrashHasTheColumnsOfItsOriginal(_ original: String, _ trash: String) throws {
        let folder = TemporaryFolder()
        let store = try Store.open(folder: folder.path, afterCommit: { _, release in release() })
        let columns = try [original, trash].map { table in
            try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
                try session.query("SELECT name FROM pragma_table_info(?1) ORDER BY cid", .text(table)) { $0.text(0) }
            }
        }
        #expect(columns[0] == columns[1])
        #expect(!columns[0].isEmpty)
    }
}

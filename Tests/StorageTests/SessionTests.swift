import Domain
import Testing

@testable import Storage

@Suite struct SessionTests {
    let folder = TemporaryFolder()

    @Test func `values of every kind go in and come out`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.writer.perform { session throws(APIError) in
            let sql: StaticString = "INSERT INTO note (id, text, number, amount, data) VALUES (?1, ?2, ?3, ?4, ?5)"
            try session.run(sql, "full", .text("text"), .int(7), 0.5, .blob([1, 2]))
            try session.run(sql, "empty", nil, .bool(nil), .double(nil), .bytes(nil))
            try session.run(sql, "flags", .text(String?.none), true, .int(Int64.max), "")
        }
        try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            let sql: StaticString = "SELECT text, number, amount, data FROM note WHERE id = ?1"
            try session.forEach(sql, "full") { row in
                #expect(row.textOrNil(0) == "text")
                #expect(row.intOrNil(1) == 7)
                #expect(row.int64OrNil(1) == 7)
                #expect(row.boolOrNil(1) == true)
                #expect(row.doubleOrNil(2) == 0.5)
                #expect(row.blobOrNil(3) == [1, 2])
                #expect(row.withUTF8(0) { $0.count } == 4)
            }
            try session.forEach(sql, "empty") { row in
                #expect(row.textOrNil(0) == nil)
                #expect(row.intOrNil(1) == nil)
                #expect(row.int64OrNil(1) == nil)
                #expect(row.boolOrNil(1) == nil)
                #expect(row.doubleOrNil(2) == nil)
                #expect(row.blobOrNil(3) == nil)
                #expect(row.isNull(3) == true)
            }
            try session.forEach(sql, "flags") { row in
                #expect(row.isNull(0) == true)
                #expect(row.bool(1) == true)
                #expect(row.blob(3) == [])
                #expect(row.isNull(3) == false)
            }
        }
    }

    @Test func `first stops at the first row, and is nil without one`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("a")
        try store.insert("b")
        try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            #expect(try session.first("SELECT id FROM note ORDER BY id") { $0.text(0) } == "a")
            #expect(try session.first("SELECT id FROM note WHERE id = ?1", "c") { $0.text(0) } == nil)
        }
    }

    @Test func `run counts the rows of its own statement`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.writer.perform { session throws(APIError) in
            #expect(try session.run("INSERT INTO note (id) VALUES ('a'), ('b'), ('c')") == 3)
            #expect(session.lastInsertRowID == 3)
            #expect(try session.run("CREATE TABLE other (id TEXT)") == 0, "not what the INSERT counted")
            #expect(try session.run("UPDATE note SET number = 1 WHERE id < 'c'") == 2)
            #expect(try session.run("DELETE FROM note WHERE id = 'nobody'") == 0)
            let id = try session.first("DELETE FROM note WHERE id = 'a' RETURNING id") { $0.text(0) }
            #expect(id == "a")
            #expect(try session.notes() == ["b", "c"])
        }
    }

    @Test func `a wrong number of values is a mistake in the code`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let error = #expect(throws: APIError.self) {
            try store.writer.perform { session throws(APIError) in
                try session.run("INSERT INTO note (id, text) VALUES (?1, ?2)", "a")
            }
        }
        #expect(error?.code == "internal-error")
        #expect(error?.detail?.contains("1 values for 2 placeholders") == true)
    }

    @Test func `a statement put together from literals reads as one`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.writer.perform { session throws(APIError) in
            for id in ["a", "b", "c"] { try session.insertNote(id) }
        }
        let lane = try store.makeReadLane()
        let found = try lane.read(budgetMilliseconds: nil) { session throws(APIError) -> [String] in
            try session.query(composed: ["SELECT id FROM note", "WHERE id > ?1", "ORDER BY id DESC"], ["a"]) {
                (row) throws(APIError) -> String in row.text(0)
            }
        }
        #expect(found == ["c", "b"])
        for (parts, values) in [(["SELECT id FROM note WHERE id > ?1"], []), (["SELECT", "nothing FROM"], [])]
            as [([StaticString], [Value])]
        {
            let error = #expect(throws: APIError.self) {
                try lane.read(budgetMilliseconds: nil) { session throws(APIError) -> [Int] in
                    try session.query(composed: parts, values) { (_) throws(APIError) -> Int in 0 }
                }
            }
            #expect(error?.code == "internal-error")
        }
        let write = #expect(throws: APIError.self) {
            try lane.read(budgetMilliseconds: nil) { session throws(APIError) -> [Int] in
                try session.query(composed: ["DELETE FROM note", "WHERE id = 'a'"], []) { (_) throws(APIError) -> Int in
                    0
                }
            }
        }
        #expect(write?.reroute == .write)
    }

    @Test func `a mistake in SQL is an internal error whose detail stays out of the reason`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let error = #expect(throws: APIError.self) {
            try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
                _ = try session.query("SELECT text FROM nowhere") { $0.text(0) }
            }
        }
        #expect(error?.status == 500)
        #expect(error?.detail?.contains("no such table: nowhere") == true)
        #expect(error?.reason.contains("nowhere") == false)
    }

    @Test func `an error in a row ends the reading and the statement can run again`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("a")
        try store.insert("b")
        let refusal = APIError(422, "bad-row", "No.")
        try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            for _ in 0..<2 {
                var seen = 0
                var caught: APIError?
                do throws(APIError) {
                    try session.forEach("SELECT id FROM note") { _ throws(APIError) in
                        seen += 1
                        throw refusal
                    }
                } catch {
                    caught = error
                }
                #expect(seen == 1)
                #expect(caught == refusal)
            }
        }
    }

    @Test(arguments: [
        [], [""], ["a", "b"], ["quote \" backslash \\ both \\\""], ["line\nfeed \u{1} tab\t"], ["naïve 日本語 👩‍👩‍👧", "[x]"],
    ])
    func `a list arrives as its elements`(_ list: [String]) throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let arrived = try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            try session.query("SELECT value FROM json_each(?1)", .list(list)) { $0.text(0) }
        }
        #expect(arrived == list)
    }
}

import Domain
import Glibc
import Reactor

@testable import Storage

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/parley-storage-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) }!
    }

    deinit {
        for name in (try? names()) ?? [] { unlink(path + "/" + name) }
        rmdir(path)
    }

    func names() throws -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }
}

extension Migration {
    /// A table to write into.
    static let note = Migration(
        2, "note",
        Array(
            "CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL, text TEXT, number INTEGER, amount REAL, data BLOB)".utf8))
}

extension Migrator {
    static let test = Migrator(migrations: [Migrator().migrations[0], .note])
}

extension Store {
    /// A store with a table `note`.
    static func test(
        in folder: TemporaryFolder, options: StoreOptions = StoreOptions(),
        afterCommit: @escaping AfterCommit = { _, release in release() }
    ) throws(StoreError) -> Store {
        try .open(folder: folder.path, options: options, migrator: .test, afterCommit: afterCommit)
    }
}

extension Session {
    mutating func insertNote(_ id: String) throws(APIError) {
        try run("INSERT INTO note (id) VALUES (?1)", .text(id))
    }

    mutating func notes() throws(APIError) -> [String] {
        try query("SELECT id FROM note ORDER BY id") { $0.text(0) }
    }
}

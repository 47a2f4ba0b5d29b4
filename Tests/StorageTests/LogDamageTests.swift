import Domain
import Glibc
import Testing

@testable import Storage

/// What is said of a log that was damaged while nobody had the database open.
@Suite struct LogDamageTests {
    private static let frame = 4096 + 24

    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/parley.db" }

    /// Leaves a folder as a crash would, with a log that holds six commits after the tables.
    private func crash() throws -> [UInt8] {
        let live = TemporaryFolder()
        let store = try Store.test(in: live)
        for number in 0..<6 { try store.insert("note \(number)") }
        for name in ["parley.db", "parley.db-wal"] {
            try write(read(live.path + "/" + name), to: folder.path + "/" + name)
        }
        store.close()
        return try read(path + "-wal")
    }

    private func read(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
        return bytes
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "wb"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    private func find() -> LogDamage? { LogDamage.find(at: path, now: 7) }

    @Test func `a folder without a log, and a log after a crash, are whole`() throws {
        #expect(find() == nil)
        let log = try crash()
        #expect(log.count > 6 * Self.frame && find() == nil)
        #expect(try folder.names().sorted() == ["parley.db", "parley.db-wal"])
        let store = try Store.test(in: folder)
        defer { store.close() }
        #expect(try store.notes().count == 6 && store.damage == nil)
    }

    @Test func `a broken page costs its commit and those behind it, and a copy of the log is kept`() throws {
        var log = try crash()
        let end = (log.count - 32) / Self.frame
        log[32 + (end - 1) * Self.frame + 500] ^= 4
        try write(log, to: path + "-wal")
        #expect(find() == LogDamage(lostCommits: 1, copy: path + "-damaged-7"))
        #expect(try read(path + "-damaged-7") == log)
        // Not the page alone: its sum and what names it are as much part of it.
        for place in [0, 4, 8, 16, 20, 24] {
            var other = try crash()
            other[32 + (end - 1) * Self.frame + place] ^= 1
            try write(other, to: path + "-wal")
            #expect((find()?.lostCommits ?? 0) == (place == 8 ? 0 : 1), "\(place)")
        }
    }

    @Test func `what is lost is said when the store is opened`() throws {
        var log = try crash()
        log[32 + 100] ^= 1
        try write(log, to: path + "-wal")
        let lost = try #require(find()?.lostCommits)
        #expect(lost >= 6)
        let store = try Store.test(in: folder)
        defer { store.close() }
        let sentence = try #require(store.damage)
        #expect(sentence.contains("The last \(lost) commits in it are lost") && sentence.contains("-damaged-"))
    }

    @Test func `an end that was not written whole is what a loss of power leaves`() throws {
        let log = try crash()
        try write(Array(log.dropLast(100)), to: path + "-wal")
        #expect(find() == nil)
        try write([], to: path + "-wal")
        #expect(find() == nil)
        try write(Array(log.prefix(20)), to: path + "-wal")
        #expect(find() == nil)
        try write(Array("not a log".utf8) + log, to: path + "-wal")
        #expect(find() == nil)
    }
}

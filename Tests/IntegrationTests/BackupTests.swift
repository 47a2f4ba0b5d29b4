import Foundation
import JSON
import SQLite
import Synchronization
import TestSupport
import Testing

/// `parley backup` and `parley restore`.
@Suite struct BackupTests {
    private let folder: Folder
    private let scene: Scene
    private let ann: Reader
    private let image: String

    private var data: String { folder.path + "/data" }
    private var backup: String { folder.path + "/backup" }

    init() throws {
        folder = try Folder()
        scene = try Scene(in: folder)
        ann = try scene.reader(.ann)
        let answer = try ann.client.upload(
            Form(try TestImage.file("picture.png"), type: "image/png", name: "picture.png"), to: ann.tenant,
            ["sso": ann.sso])
        image = String(try #require(answer["url"]?.string, "\(answer.text)").dropFirst(scene.server.url.count))
    }

    private func run(_ words: String...) throws -> Command {
        try Command(ParleyProcess.binary(), words, in: folder)
    }

    private func bytes(_ server: ParleyProcess) throws -> [UInt8] {
        let answer = try server.client().send("GET", image, headers: [], body: nil)
        #expect(answer.status == 200)
        return answer.body
    }

    @Test func aBackupMadeUnderWritesHasAllThatWasAcknowledgedBefore() throws {
        let before = try (0..<50).map { try ann.posted("before \($0)") }
        let isDone = Mutex(false)
        let (server, tenant, page) = (scene.server, scene.tenant, scene.page)
        let join = Crowd.start(2) { number in
            let writer = try server.reader(number == 0 ? .bob : .carol, of: tenant, at: page)
            var count = 0
            while !isDone.withLock({ $0 }) {
                count += 1
                _ = try writer.posted("during \(number) \(count)")
            }
        }
        let made = try run("backup", backup, "--data", data)
        isDone.withLock { $0 = true }
        try join()
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("Sound, and all counts are right."))
        #expect(made.errors.contains("Copying the database: 100 %"))
        #expect(!folder.names.contains { $0.hasSuffix(".unfinished") })
        let picture = try bytes(scene.server)

        let restored = try run("restore", backup, "--data", folder.path + "/other")
        #expect(restored.status == 0, "\(restored.errors)")
        let other = try ParleyProcess(.data(folder.path + "/other"))
        let reader = try other.reader(.ann, of: scene.tenant, at: scene.page)
        let comments = try reader.everything()
        #expect(Set(before).isSubset(of: comments.compactMap(\.id)))
        #expect(try reader.comments()["commentCount"]?.integer == Int64(comments.count))
        // Of each writer the beginning of what it wrote, without a gap.
        for number in 0..<2 {
            let start = "<p>during \(number) "
            let texts = comments.compactMap { $0["commentHTML"]?.string }.filter { $0.hasPrefix(start) }
            let numbers = texts.compactMap { Int($0.dropFirst(start.count).prefix { $0 != "<" }) }.sorted()
            #expect(numbers == Array(0..<numbers.count).map { $0 + 1 })
            #expect(numbers.count == texts.count)
        }
        #expect(try bytes(other) == picture)
        #expect(try run("doctor", "--check", "--data", folder.path + "/other").status == 0)
        _ = try reader.posted("goes on")
    }

    @Test func aBackupAndWhatIsRestoredAreForTheOwnersEyesAlone() throws {
        #expect(try run("backup", backup, "--data", data).output.contains(", 1 file."))
        let target = folder.path + "/target"
        #expect(try run("restore", backup, "--data", target).status == 0)
        for copy in [backup, target] {
            #expect(try Files.mode(copy) == 0o700 && Files.mode(copy + "/uploads") == 0o700)
            #expect(try Files.mode(copy + "/parley.db") == 0o600)
            let uploads = Files.names(copy + "/uploads")
            #expect(uploads.count == 1)
            for name in uploads { #expect(try Files.mode("\(copy)/uploads/\(name)") == 0o600) }
        }
        let nested = try run("backup", folder.path + "/no/where", "--data", data)
        #expect(nested.status == 1 && nested.errors.contains("first"))
    }

    @Test func aBackupIsNotMadeOverSomethingElse() throws {
        try folder.write("backup", "precious")
        let made = try run("backup", backup, "--data", data)
        #expect(made.status == 1)
        #expect(try folder.read("backup") == "precious")
        #expect(try run("backup", folder.path + "/b", "--data", folder.path + "/nowhere").status == 1)
        #expect(!folder.names.contains("b"))
    }

    @Test func aBackupIsNotMadeInTheDataFolder() throws {
        let before = Files.names(data).sorted()
        try Files.link(folder.path + "/link", to: data)
        for place in [
            data, data + "/backup", data + "/", data + "/no/where", "data/backup", "./data/../data/b", "link/b",
        ] {
            let made = try run("backup", place, "--data", data)
            #expect(made.status == 1 && made.errors.contains("is in the data folder"), "\(place): \(made.errors)")
        }
        #expect(Files.names(data).sorted() == before)
        #expect(try run("backup", data + "-copy", "--data", data).status == 0, "a name that begins alike is another")
    }

    @Test func aBackupOfADamagedFolderIsNotKept() throws {
        let connection = try Connection(path: data + "/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(script: "UPDATE upload SET name = 'gone-' || name")
        let lost = try run("backup", backup, "--data", data)
        #expect(lost.status == 1)
        #expect(lost.errors.contains("is missing"))
        _ = try ann.posted("one")
        try connection.execute(script: "UPDATE upload SET name = substr(name, 6); UPDATE comment_count SET count = 99")
        let wrong = try run("backup", backup, "--data", data)
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("parley doctor"))
        #expect(!folder.names.contains { $0.hasPrefix("backup") })
    }

    @Test func aRestoreWaitsForTheServerToStopAndKeepsWhatIsThere() throws {
        let first = try ann.posted("first")
        #expect(try run("backup", backup, "--data", data).status == 0)
        let second = try ann.posted("second")
        let running = try run("restore", backup, "--data", data, "--replace")
        #expect(running.status == 1)
        #expect(running.errors.contains("Stop it first"))
        #expect(try ann.list().count == 2)

        #expect(try scene.server.terminate() == .status(0))
        let kept = try run("restore", backup, "--data", data)
        #expect(kept.status == 1)
        #expect(kept.errors.contains("--replace"))
        let replaced = try run("restore", backup, "--data", data, "--replace")
        #expect(replaced.status == 0, "\(replaced.errors)")
        let aside = try #require(Files.names(data).first { $0.hasPrefix("replaced-") })
        #expect(Files.names("\(data)/\(aside)").contains("parley.db"))
        let server = try ParleyProcess(.data(data))
        let reader = try server.reader(.ann, of: scene.tenant, at: scene.page)
        #expect(try reader.list().compactMap(\.id) == [first])
        #expect(first != second)
    }

    @Test func aDamagedBackupIsRefusedAndNothingChanges() throws {
        for number in 0..<30 { _ = try ann.posted("comment \(number)") }
        #expect(try run("backup", backup, "--data", data).status == 0)
        let file = backup + "/parley.db"
        var content = try Data(contentsOf: URL(fileURLWithPath: file))
        for place in stride(from: 40_000, to: content.count, by: 512) { content[place] ^= 0xff }
        try content.write(to: URL(fileURLWithPath: file))
        let target = folder.path + "/target"
        let restored = try run("restore", backup, "--data", target)
        #expect(restored.status == 1)
        #expect(restored.errors.contains("Take another"), "\(restored.errors)")
        #expect(!restored.errors.contains("Restore a backup") && !restored.errors.contains("try again"))
        #expect(Files.names(target).filter { $0 != "parley.lock" } == [])
        #expect(try run("restore", folder.path + "/nowhere", "--data", target).status == 1)
    }
}

private enum Files {
    static func names(_ path: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    static func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

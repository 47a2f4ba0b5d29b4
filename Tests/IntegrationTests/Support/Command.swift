import Foundation
import TestSupport

/// A run of a program until it ends.
struct Command {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a program.
    init(_ program: String, _ words: [String], in folder: Folder, environment: [String: String] = [:]) throws {
        var variables = environment
        variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        variables["TMPDIR"] = folder.path
        // Files rather than pipes: nobody has to read them while the program runs.
        let names = ["output", "errors"].map { folder.path + "/\($0)-\(UUID().uuidString)" }
        status = try Program.run(
            program, words, in: folder.path, environment: variables, output: names[0], errors: names[1])
        output = try String(contentsOfFile: names[0], encoding: .utf8)
        errors = try String(contentsOfFile: names[1], encoding: .utf8)
        for name in names { try FileManager.default.removeItem(atPath: name) }
    }
}

/// A folder that goes with this object.
final class Folder: Sendable {
    let path: String

    /// - Parameter isInMemory: where there is such a place; for what takes thousands of commits one after the other.
    init(isInMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let parent =
            isInMemory && FileManager.default.isWritableFile(atPath: memory)
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        let url = parent.appendingPathComponent("parley-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file into it.
    /// - Returns: its path.
    @discardableResult
    func write(_ name: String, _ content: String) throws -> String {
        let file = "\(path)/\(name)"
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

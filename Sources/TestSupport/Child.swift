import CLinux
import Foundation
import Glibc
import JSON
import Synchronization

/// The process behind a `ParleyProcess`.
final class Child: Sendable {
    let pid: pid_t
    private let folder: String
    /// The server's standard output: its first line says that it is ready, its end that it is gone.
    private let output: Int32
    /// Guarded by the mutex, as is reaping the child, so that no signal reaches a stranger with the same number.
    private let exit = Mutex<ParleyProcess.Exit?>(nil)

    private var readyFile: String { folder + "/ready.json" }
    private var errorFile: String { folder + "/stderr" }

    init(_ binary: String, _ words: [String], _ variables: [String: String]) throws {
        folder = try Self.makeFolder()
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw ConnectionFault.system("pipe2", errno) }
        output = ends[0]
        defer { close(ends[1]) }
        let errors = open(folder + "/stderr", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(errors) }
        // Its own temporary files go with the folder, also after a crash.
        let variables = variables.merging(["TMPDIR": folder]) { $1 }
        // The shell goes to a folder without configuration and becomes the server.
        let arguments = ["-c", "cd \"$0\" && exec \"$@\"", folder, binary] + words
        pid = try Spawn.run(
            "/bin/sh", arguments + ["--ready-file", folder + "/ready.json"],
            environment: variables.map { "\($0)=\($1)" }, output: ends[1], errors: errors)
        ChildGuard.add(pid)
    }

    deinit {
        _ = try? end(SIGKILL, by: .usual)
        close(output)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func makeFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    var errorOutput: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

    /// What lies in the folder for its log, its ready file and its temporary files.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    func waitUntilReady(by deadline: Deadline) throws -> JSONValue {
        guard try readOutput(by: deadline) else {
            let exit = try end(SIGKILL, by: .usual)
            throw StartFault("the server ended at once (\(exit)):\n\(errorOutput.suffix(4000))")
        }
        return try JSONValue.parse(Array(Data(contentsOf: URL(fileURLWithPath: readyFile))))
    }

    /// - Returns: false when there is no more output, which is when the server has ended.
    private func readOutput(by deadline: Deadline) throws -> Bool {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, deadline.milliseconds) > 0 else {
            throw StartFault("the server neither answers nor ends:\n\(errorOutput.suffix(4000))")
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(output, &buffer, buffer.count) > 0
    }

    func signal(_ number: Int32) {
        exit.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// Sends a signal, if any, and waits for the end.
    func end(_ number: Int32?, by deadline: Deadline) throws -> ParleyProcess.Exit {
        if let known = exit.withLock({ $0 }) { return known }
        if let number { signal(number) }
        while try readOutput(by: deadline) {}
        return exit.withLock { exit in
            if let exit { return exit }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            ChildGuard.remove(pid)
            let code = status & 0x7F
            let found: ParleyProcess.Exit = code == 0 ? .status(status >> 8 & 0xFF) : .signal(code)
            exit = found
            return found
        }
    }
}

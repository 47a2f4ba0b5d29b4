import Glibc

/// Runs other programs to their end. Not by Foundation's `Process`, which now and then never hears of the end when many
/// are started at once.
package enum Program {
    /// Runs a program, found by its path, in a folder.
    /// - Parameters:
    ///   - output: file that takes its standard output; `errors` likewise. Both are made anew.
    /// - Returns: its exit status, or 128 and the signal that ended it, as a shell says it.
    package static func run(
        _ program: String, _ words: [String], in folder: String, environment: [String: String], output: String,
        errors: String
    ) throws(ConnectionFault) -> Int32 {
        let out = try file(output)
        defer { close(out) }
        let err = try file(errors)
        defer { close(err) }
        let pid = try Spawn.run(
            "/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder, program] + words,
            environment: environment.map { "\($0)=\($1)" }, output: out, errors: err)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    private static func file(_ path: String) throws(ConnectionFault) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("open", errno) }
        return descriptor
    }
}

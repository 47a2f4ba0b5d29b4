import Glibc

/// Starts programs.
enum Spawn {
    /// What all programs get that are not told otherwise: how sanitizers report, and where the machine stands.
    private static let inherited: [(name: String, line: String)] =
        ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "TZ"].compactMap { name in
            getenv(name).map { (name, "\(name)=\(String(cString: $0))") }
        }

    /// Starts a program with an open set of signals.
    /// - Parameters:
    ///   - input: its standard input; nil is empty. `output` and `errors` likewise; nil drops what it writes.
    /// - Throws: `ConnectionFault.system` when it cannot be started.
    static func run(
        _ path: String, _ arguments: [String], environment: [String], input: Int32? = nil, output: Int32? = nil,
        errors: Int32? = nil
    ) throws(ConnectionFault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [input, output, errors].enumerated() {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What the test runner ignores or blocks is no business of the program.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        let more = inherited.filter { known in !environment.contains { $0.hasPrefix(known.name + "=") } }
        var variables = (environment + more.map(\.line)).map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var pid: pid_t = 0
        let status = posix_spawn(&pid, path, &actions, &attributes, &words, &variables)
        guard status == 0 else { throw .system("posix_spawn", status) }
        return pid
    }
}

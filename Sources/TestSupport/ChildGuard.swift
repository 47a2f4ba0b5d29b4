import CLinux
import Glibc

/// Ends the servers of this process when it ends itself, however it does.
///
/// A small shell holds the other end of a pipe. The kernel closes our end with this process, the shell reads that and
/// kills whoever is still on its list. (A parent-death signal would not do: it is sent when the thread that started
/// the server ends, and tests run on threads that come and go.)
enum ChildGuard {
    private static let script = """
        trap '' INT TERM HUP
        living=
        while read -r sign pid; do
            if [ "$sign" = + ]; then living="$living $pid"; continue; fi
            rest=
            for other in $living; do [ "$other" = "$pid" ] || rest="$rest $other"; done
            living=$rest
        done
        [ -z "$living" ] || kill -KILL $living
        """

    /// Where lines go to: `+ pid`, `- pid`. Short lines are written whole, so that threads need no lock.
    private static let output: Int32 = {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return -1 }
        let child = try? Spawn.run("/bin/sh", ["-c", script], environment: [], input: ends[0])
        close(ends[0])
        return child == nil ? -1 : ends[1]
    }()

    static func add(_ pid: pid_t) { write("+ \(pid)\n") }

    static func remove(_ pid: pid_t) { write("- \(pid)\n") }

    private static func write(_ line: String) { _ = Glibc.write(output, line, line.utf8.count) }
}

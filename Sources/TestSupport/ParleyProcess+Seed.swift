import Foundation
import Glibc
import JSON

extension ParleyProcess {
    /// Runs `parley seed` on a data folder, beside the server that uses it.
    /// - Parameter state: the seed file.
    /// - Throws: `StartFault` with what the command said when it failed.
    package static func seed(_ state: JSONValue, into folder: String) throws {
        let file = NSTemporaryDirectory() + "/parley-seed-\(UUID().uuidString).json"
        try Data(state.jsonBytes()).write(to: URL(fileURLWithPath: file))
        let errorFile = file + ".errors"
        defer {
            unlink(file)
            unlink(errorFile)
        }
        let errors = open(errorFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(errors) }
        let pid = try Spawn.run(
            binary(), ["seed", file, "--data", folder],
            environment: ["LD_LIBRARY_PATH"].compactMap { name in
                ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
            }, errors: errors)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            let said = (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? ""
            throw StartFault("parley seed ended with \(status): \(said)")
        }
    }
}

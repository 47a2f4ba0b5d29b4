import Foundation
import Glibc
import JSON

extension ParleyProcess {
    /// Runs `parley config import` on a data folder, beside the server that uses it.
    /// - Parameter rules: as in the file, without the object around them.
    /// - Throws: `StartFault` with what the command said when it failed.
    package static func config(_ rules: JSONValue, of tenant: String, in folder: String) throws {
        let file = NSTemporaryDirectory() + "/parley-config-\(UUID().uuidString)"
        defer { for end in [".json", ".out", ".err"] { unlink(file + end) } }
        let document: JSONValue = ["rules": rules]
        try Data(document.jsonBytes()).write(to: URL(fileURLWithPath: file + ".json"))
        var environment: [String: String] = [:]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        let status = try Program.run(
            binary(), ["config", "import", file + ".json", "--tenant", tenant, "--data", folder],
            in: NSTemporaryDirectory(), environment: environment, output: file + ".out", errors: file + ".err")
        guard status == 0 else {
            let said = (try? String(contentsOfFile: file + ".err", encoding: .utf8)) ?? ""
            throw StartFault("parley config ended with \(status): \(said)")
        }
    }
}

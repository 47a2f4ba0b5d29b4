import CLinux
import Foundation
import JSON
import Synchronization
import Testing

/// A running server, the real program with a folder of its own. It ends with this object, and with the test process.
package final class ParleyProcess: Sendable {
    /// A tenant and its API key.
    package struct Tenant: Sendable, Equatable {
        package let id: String
        package let apiKey: String

        /// One that is known from elsewhere, for example from a seed file.
        package init(id: String, apiKey: String) {
            self.id = id
            self.apiKey = apiKey
        }
    }

    /// Where the data is.
    package enum Folder: Sendable {
        /// Removed by the server when it stops.
        case ephemeral
        /// Kept, so that another server can go on with it.
        case data(String)
    }

    /// How the server ended.
    package enum Exit: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// The key for `/test-e2e`, unless the environment names another.
    package static let suiteKey = "suite-key"

    package let pid: pid_t
    /// `http://127.0.0.1:PORT`
    package let url: String
    /// `ws://127.0.0.1:PORT/sub`
    package let webSocketURL: String
    package let port: UInt16
    /// Port of HTTPS and WSS; nil without a certificate.
    package let tlsPort: UInt16?
    /// Tenants at the start.
    package let tenants: [Tenant]
    private let child: Child

    /// Starts a server and waits until it answers.
    /// - Parameters:
    ///   - environment: beside `PATH` and what makes a server of tests: any free port, a key for suites.
    ///   - arguments: more flags of `serve`.
    /// - Throws: `StartFault` with what the server said when it ends or does not answer in time.
    package init(
        _ folder: Folder = .ephemeral, environment: [String: String] = [:], arguments: [String] = [],
        by deadline: Deadline = .usual
    ) throws {
        var variables = ["PARLEY_PORT": "0", "PARLEY_E2E_KEY": Self.suiteKey]
        for name in ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"] {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        var words = ["serve"]
        switch folder {
        case .ephemeral: words.append("--ephemeral")
        case .data(let path): variables["PARLEY_DATA"] = path
        }
        variables.merge(environment) { $1 }
        child = try Child(Self.binary(), words + arguments, variables)
        pid = child.pid
        let ready = try child.waitUntilReady(by: deadline)
        guard let url = ready["url"]?.string, let webSocketURL = ready["wsUrl"]?.string,
            let port = URL(string: url)?.port.flatMap(UInt16.init(exactly:)), let tenants = ready["tenants"]?.array
        else { throw StartFault("the ready file says \(ready)") }
        self.url = url
        self.webSocketURL = webSocketURL
        self.port = port
        tlsPort = ready["tlsPort"]?.integer.flatMap(UInt16.init(exactly:))
        self.tenants = tenants.compactMap { entry in
            guard let id = entry["id"]?.string, let key = entry["apiKey"]?.string else { return nil }
            return Tenant(id: id, apiKey: key)
        }
    }

    /// The program: `PARLEY_BINARY`, or the one that was built beside the tests.
    package static func binary() throws -> String {
        if let path = ProcessInfo.processInfo.environment["PARLEY_BINARY"] { return path }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("parley").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw StartFault("there is no \(path): build first, or set PARLEY_BINARY")
        }
        return path
    }

    /// What the server wrote to its error output so far: its log.
    package var errorOutput: String { child.errorOutput }

    /// Names of what lies in the server's folder for its log, its ready file and its temporary files.
    package var files: [String] { child.files }

    /// A connection of its own.
    package func client() throws -> HTTPClient { try HTTPClient(port: port) }

    /// Asks the server to stop, and waits.
    @discardableResult
    package func terminate(by deadline: Deadline = .usual) throws -> Exit {
        try child.end(SIGTERM, by: deadline)
    }

    /// Ends the server as a crash would.
    @discardableResult
    package func kill() throws -> Exit {
        try child.end(SIGKILL, by: .usual)
    }

    /// Sends any signal and does not wait.
    package func signal(_ number: Int32) { child.signal(number) }

    /// Waits for the server to end by itself.
    package func exit(by deadline: Deadline = .usual) throws -> Exit { try child.end(nil, by: deadline) }
}

/// Why a server did not start or stop.
package struct StartFault: Error, CustomStringConvertible {
    /// One sentence, and the end of what the server wrote.
    package let description: String

    init(_ description: String) { self.description = description }
}

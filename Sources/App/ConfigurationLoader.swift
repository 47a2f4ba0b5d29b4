import Domain
import Glibc
import JSON

/// Reads the settings: `config/default.json`, then `config/<PARLEY_ENVIRONMENT>.json`, then the environment, then flags.
/// The later one wins; whatever is unknown or wrong stops the start.
struct ConfigurationLoader {
    let environment: [String: String]
    /// Values of flags by setting key.
    let flags: [String: String]

    /// Variables that steer the loader itself.
    private static let ownVariables: Set<String> = ["PARLEY_CONFIG", "PARLEY_ENVIRONMENT"]

    func load() throws(ToolError) -> Configuration {
        var configuration = Configuration()
        let folder = environment["PARLEY_CONFIG"] ?? "config"
        try readFile(folder + "/default.json", mustExist: environment["PARLEY_CONFIG"] != nil, into: &configuration)
        if let name = environment["PARLEY_ENVIRONMENT"], !name.isEmpty {
            try readFile("\(folder)/\(name).json", mustExist: true, into: &configuration)
        }
        try readEnvironment(into: &configuration)
        for setting in Setting.all {
            if let value = flags[setting.key] {
                try configuration.set(setting, value, source: "--" + setting.flag)
            }
        }
        try configuration.check()
        return configuration
    }

    private func readFile(_ path: String, mustExist: Bool, into configuration: inout Configuration) throws(ToolError) {
        guard let bytes = try Files.read(path) else {
            if mustExist { throw ToolError("The configuration file \(path) is missing.") }
            return
        }
        guard let object = (try? JSONValue.parse(bytes))?.object else {
            throw ToolError("The configuration file \(path) is no JSON object.")
        }
        for (name, value) in object.members {
            guard let setting = Setting.all.first(where: { $0.key == name }) else {
                let known = Setting.all.map(\.key).joined(separator: ", ")
                throw ToolError("\(path): unknown key \"\(name)\". Known keys: \(known).")
            }
            try configuration.set(setting, Self.text(value), source: "\(path), key \(name)")
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .array(let items): items.map(text).joined(separator: ",")
        default: String(decoding: value.jsonBytes(), as: UTF8.self)
        }
    }

    private func readEnvironment(into configuration: inout Configuration) throws(ToolError) {
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("PARLEY_") {
            if Self.ownVariables.contains(name) { continue }
            if let setting = Setting.all.first(where: { $0.variable == name }) {
                try configuration.set(setting, value, source: name)
            } else if let setting = Setting.all.first(where: { $0.isSecret && $0.variable + "_FILE" == name }) {
                guard let bytes = try Files.read(value) else {
                    throw ToolError("\(name): the file \(value) is missing.")
                }
                let text = String(decoding: bytes, as: UTF8.self)
                try configuration.set(setting, text.trimmed, source: name)
            } else {
                throw ToolError("Unknown environment variable \(name). Known ones: \(Self.knownVariables).")
            }
        }
    }

    private static var knownVariables: String {
        let settings = Setting.all.flatMap { $0.isSecret ? [$0.variable, $0.variable + "_FILE"] : [$0.variable] }
        return (settings + ownVariables.sorted()).joined(separator: ", ")
    }

    /// The environment of this process.
    static func processEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let pair = entry.pointee {
            let parts = String(cString: pair).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }
}

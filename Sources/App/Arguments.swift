/// The words after a subcommand, split into flags and the rest.
struct Arguments {
    /// Words that are no flags, in order.
    private(set) var words: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    /// - Parameters:
    ///   - valued: flags that take a value (`--name value` or `--name=value`).
    ///   - plain: flags that take none.
    init(_ words: [String], valued: Set<String>, plain: Set<String>) throws(ToolError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                self.words.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if plain.contains(name), parts.count == 1 {
                switches.insert(name)
            } else if valued.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw ToolError("--\(name) needs a value.")
                }
                values[name] = value
            } else {
                throw ToolError("Unknown flag --\(name). Add --help to see what there is.")
            }
        }
    }

    /// The value of a flag, nil when it was not given.
    subscript(_ name: String) -> String? { values[name] }

    func has(_ name: String) -> Bool { switches.contains(name) }

    /// The values of flags that are settings, by setting key.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        for setting in Setting.all {
            if let value = values[setting.flag] { settings[setting.key] = value }
        }
        return settings
    }
}

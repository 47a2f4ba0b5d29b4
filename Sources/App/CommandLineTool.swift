/// One subcommand.
protocol Command {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// Usage, what it does, and an example.
    static var help: String { get }
    /// - Returns: the exit status.
    static func run(_ words: [String]) throws(ToolError) -> Int32
}

enum CommandLineTool {
    private struct Entry {
        let name: String
        let summary: String
        let help: String
        let run: ([String]) throws(ToolError) -> Int32

        init<C: Command>(_ command: C.Type) {
            name = command.name
            summary = command.summary
            help = command.help
            run = { (words) throws(ToolError) -> Int32 in try command.run(words) }
        }
    }

    private static var commands: [Entry] {
        [
            Entry(ServeCommand.self), Entry(SeedCommand.self), Entry(TenantCommand.self), Entry(ChatPagingCommand.self),
            Entry(ConfigCommand.self), Entry(ModerationCommand.self), Entry(UserCommand.self), Entry(BadgeCommand.self),
            Entry(DoctorCommand.self), Entry(WebhookCommand.self), Entry(KeyCommand.self), Entry(BackupCommand.self),
            Entry(RestoreCommand.self),
            Entry(SSOTokenCommand.self),
            Entry(DevCertCommand.self), Entry(HealthCommand.self), Entry(VersionCommand.self),
        ]
    }

    /// - Returns: the exit status: 0, 1 for a fault, 2 for wrong usage.
    static func run(_ words: [String]) -> Int32 {
        if words.count > 1, words[0] == "help" { return run([words[1], "--help"]) }
        guard let name = words.first, name != "help", name != "--help", name != "-h" else {
            Console.print(help)
            return words.isEmpty ? 2 : 0
        }
        if name == "--version" { return VersionCommand.run([]) }
        guard let command = commands.first(where: { $0.name == name }) else {
            Console.printError("There is no command \"\(name)\".\n\n\(help)")
            return 2
        }
        let rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            Console.print(command.help)
            return 0
        }
        do {
            return try command.run(rest)
        } catch {
            Console.printError("parley \(name): \(error.sentence)")
            return 1
        }
    }

    private static var help: String {
        let commands = commands
        let width = commands.map { $0.name.count }.max() ?? 0
        let lines = commands.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count) + "  " + command.summary
        }
        return """
            Parley, a comments server.

            Usage: parley COMMAND [--help]

            \(lines.joined(separator: "\n"))

            Example:
              parley serve                     # then open http://127.0.0.1:8080
            """
    }
}

enum VersionCommand: Command {
    static let version = "0.1.0"
    static let name = "version"
    static let summary = "prints the version"
    static let help = """
        Usage: parley version

        Prints the version of this program.

        Example:
          parley version
        """

    static func run(_ words: [String]) -> Int32 {
        Console.print("parley \(version)")
        return 0
    }
}

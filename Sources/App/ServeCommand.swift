import Glibc
import JSON
import Reactor
import Server
import Storage

enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "runs the server"

    static var help: String {
        let settings = Setting.all.map { setting in
            let flag = "--\(setting.flag)"
            return "  \(flag)\(pad(flag, 18))\(setting.variable)\(pad(setting.variable, 24))\(setting.help)"
        }
        let files = Setting.all.filter(\.isSecret).map { $0.variable + "_FILE" }
        return """
            Usage: parley serve [FLAGS]

            Runs the server until it gets SIGTERM or SIGINT. Settings come from config/default.json, then from
            config/<PARLEY_ENVIRONMENT>.json, then from environment variables, then from flags; the later wins.
            PARLEY_CONFIG names another folder than ./config. With no tenant known, the first start makes one, `demo`,
            and prints its key. Secrets may come from files:

              \(files.joined(separator: "\n  "))

            \(settings.joined(separator: "\n"))
              --ephemeral       a temporary data folder and a free port; the folder is removed at the end
              --ready-file PATH one line of JSON, written once the server answers

            Example:
              PARLEY_TENANTS=demo:DEMOKEY parley serve --port 8080
              curl 'http://127.0.0.1:8080/comments/demo?urlId=hello'
            """
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count))
    }

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(
            words, valued: Set(Setting.all.map(\.flag) + ["ready-file"]), plain: ["ephemeral"])
        guard arguments.words.isEmpty else { throw ToolError("Unknown word \"\(arguments.words[0])\".") }
        var configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let isEphemeral = arguments.has("ephemeral")
        if isEphemeral {
            configuration.data = try Files.makeTemporaryFolder()
            if arguments["port"] == nil { configuration.port = 0 }
            if arguments["tls-port"] == nil, configuration.tlsCertificate != nil { configuration.tlsPort = 0 }
        }
        let readyFile = arguments["ready-file"]
        // An old one would speak for a server that is gone.
        if let readyFile { Files.remove(readyFile) }
        defer {
            if let readyFile { Files.remove(readyFile) }
            if isEphemeral { Files.removeFolder(configuration.data) }
        }
        return try serve(configuration, isEphemeral: isEphemeral, readyFile: readyFile)
    }

    private static func serve(
        _ configuration: Configuration, isEphemeral: Bool, readyFile: String?
    ) throws(ToolError) -> Int32 {
        // Before the first thread, so that all of them leave signals to this one.
        let signals = SignalWaiter()
        let logger = Logger(level: configuration.logLevel, format: configuration.logsJSON ? .json : .text)
        let application = try Application(configuration, logger: logger)
        try application.start()
        keepAddress(of: application, logger)
        try application.attend()
        let announcement = Announcement(application, tenants: try Setup.tenants(application.store))
        if let readyFile { try Files.writeAtomically(readyFile, announcement.json, mode: 0o600) }
        Console.print(isEphemeral ? announcement.line : announcement.text)
        logger.log(.info, "listening", ["address": .string(application.url)])
        while signals.next() == .reload {
            reload(configuration, application, logger)
        }
        logger.log(.info, "stopping")
        application.stop()
        logger.log(.info, "stopped")
        return 0
    }

    /// For commands beside the server. A disk that is full must not keep it from serving what can be read.
    private static func keepAddress(of application: Application, _ logger: Logger) {
        do {
            try Setup.setAddress(application.url, application.store)
        } catch {
            logger.log(.warning, "the address is not kept for commands", ["detail": .string(error.sentence)])
        }
    }

    /// SIGHUP: new connections get the certificate that is in the files now.
    private static func reload(_ configuration: Configuration, _ application: Application, _ logger: Logger) {
        do {
            try application.reloadCertificate()
            logger.log(.info, "certificate read again")
        } catch {
            logger.log(.error, "certificate not read", ["detail": .string(error.sentence)])
        }
    }
}

/// What the server says of itself once it answers.
private struct Announcement {
    let url: String
    let socketURL: String
    let tlsPort: UInt16?
    let tenants: [Configuration.TenantKey]
    /// Whether more than this machine can reach the server.
    let isOpen: Bool
    /// Made by this start; its key is shown this once.
    let newTenant: Configuration.TenantKey?

    init(_ application: Application, tenants: [Configuration.TenantKey]) {
        url = application.url
        socketURL = application.socketURL
        tlsPort = application.server.tlsPort
        newTenant = application.newTenant
        isOpen = ["0.0.0.0", "::"].contains(application.configuration.host)
        self.tenants = tenants
    }

    /// One JSON object with a newline.
    var json: [UInt8] { Array((line + "\n").utf8) }

    var line: String {
        var json = JSONWriter()
        json.object { json in
            json.member("url", url)
            json.member("wsUrl", socketURL)
            if let tlsPort { json.member("tlsPort", Int(tlsPort)) }
            json.key("tenants")
            json.beginArray()
            for tenant in tenants {
                json.object { json in
                    json.member("id", tenant.id)
                    json.member("apiKey", tenant.key)
                }
            }
            json.endArray()
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    var text: String {
        let tenant = tenants.first
        let rest = tenants.count > 1 ? "  (and \(tenants.count - 1) more: parley tenant list)" : ""
        let secure = tlsPort.map { "  HTTPS    port \($0)\n" } ?? ""
        let reach = isOpen ? "  Open to  the network, at every address of this machine\n" : ""
        let key = newTenant.map { "  API key  \($0.key)   (shown this once)\n" } ?? ""
        return """
            Parley is running.
              Address  \(url)
            \(reach)\(secure)  Tenant   \(tenant?.id ?? "none")\(rest)
            \(key)Open the address in a browser, or try:
              curl '\(url)/comments/\(tenant?.id ?? "demo")?urlId=hello'
            """
    }
}

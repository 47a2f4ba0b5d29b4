import API
import Domain
import Server

/// All settings, read and checked.
struct Configuration: Sendable {
    /// A tenant that is made at start when it is missing.
    struct TenantKey: Sendable, Equatable {
        let id: String
        let key: String
    }

    var host = "127.0.0.1"
    var port: UInt16 = 8080
    var data = "./data"
    var tenants: [TenantKey] = []
    var suiteKeys: [String] = []
    var operatorKey: String?
    var tlsCertificate: String?
    var tlsKey: String?
    var tlsPort: UInt16 = 8443
    var publicURL: String?
    var trustedProxies: [String] = []
    var loops: Int?
    var pagesChatsFromTail = false
    var outbound = OutboundSettings()
    /// Opens the metrics; nil closes them.
    var metricsToken: String?
    var logsJSON = false
    var logLevel = Logger.Level.info

    /// It opens every tenant's settings, so nobody shall guess it.
    private static let operatorKeyMinimum = 16

    init() {}

    /// Takes over one value.
    /// - Parameter source: where it was said, for the error.
    mutating func set(_ setting: Setting, _ value: String, source: String) throws(ToolError) {
        let fault = { (wanted: String) in
            ToolError("\(source) \(wanted)\(setting.isSecret ? "" : ", not \"\(value)\"").")
        }
        switch setting.key {
        case "host":
            guard !value.isEmpty else { throw fault("must be an address such as 127.0.0.1") }
            host = value
        case "port": port = try Self.port(value, fault)
        case "tlsPort": tlsPort = try Self.port(value, fault)
        case "data":
            guard !value.isEmpty else { throw fault("must name a folder") }
            data = value
        case "tenants": tenants = try Self.tenants(value, fault)
        case "e2eKey": suiteKeys = value.split(separator: ",").map(String.init)
        case "operatorKey":
            guard value.isEmpty || value.utf8.count >= Self.operatorKeyMinimum else {
                throw fault("must have at least \(Self.operatorKeyMinimum) characters")
            }
            operatorKey = value.isEmpty ? nil : value
        case "tlsCert": tlsCertificate = value.isEmpty ? nil : value
        case "tlsKey": tlsKey = value.isEmpty ? nil : value
        case "publicUrl": publicURL = try Self.address(value, fault)
        case "trustedProxies":
            trustedProxies = value.split { $0 == "," || $0 == " " }.map(String.init)
            guard trustedProxies.allSatisfy({ $0 == "*" || ClientAddress.isNumeric($0) }) else {
                throw fault("must be numeric addresses, without ranges, or *")
            }
        case "loops":
            guard let number = Int(value), (1...64).contains(number) else { throw fault("must be 1 to 64") }
            loops = number
        case "chatPaging":
            guard ["on", "off", "true", "false"].contains(value) else { throw fault("must be on or off") }
            pagesChatsFromTail = value == "on" || value == "true"
        case "giphyKey", "gifUrl", "outboundAllow", "outboundCa", "webhookRetry":
            if let wanted = outbound.set(setting.key, value) { throw fault(wanted) }
        case "metricsToken":
            guard value.isEmpty || value.utf8.count >= 16 else { throw fault("must have at least 16 characters") }
            metricsToken = value.isEmpty ? nil : value
        case "logFormat":
            guard value == "text" || value == "json" else { throw fault("must be text or json") }
            logsJSON = value == "json"
        default:
            guard let level = Logger.Level(name: value) else {
                throw fault("must be debug, info, warning or error")
            }
            logLevel = level
        }
    }

    /// What only makes sense together.
    func check() throws(ToolError) {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ToolError("PARLEY_TLS_CERT and PARLEY_TLS_KEY belong together: set both, or none.")
        }
    }

    private static func port(_ value: String, _ fault: (String) -> ToolError) throws(ToolError) -> UInt16 {
        guard let port = UInt16(value) else { throw fault("must be 0 to 65535") }
        return port
    }

    private static func tenants(_ value: String, _ fault: (String) -> ToolError) throws(ToolError) -> [TenantKey] {
        var tenants: [TenantKey] = []
        for entry in value.split(separator: ",") {
            let parts = entry.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, Identifier.isTenantID(parts[0]), !parts[1].isEmpty else {
                throw fault("must be id:APIKEY,id2:KEY2 with ids of letters, digits, - and _")
            }
            tenants.append(TenantKey(id: parts[0], key: parts[1]))
        }
        return tenants
    }

    private static func address(_ value: String, _ fault: (String) -> ToolError) throws(ToolError) -> String? {
        if value.isEmpty { return nil }
        guard WebAddress.isWeb(value) else { throw fault("must begin with http:// or https://") }
        return value.hasSuffix("/") ? String(value.dropLast()) : value
    }
}

/// A fault that ends the command with one sentence.
struct ToolError: Error, Sendable {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

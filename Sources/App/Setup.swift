import API
import Bytes
import Crypto
import Domain
import JSON
import Storage

/// What must be in the store before the server serves.
enum Setup {
    /// The server's own key, made at the first start.
    static func serverSecret(_ store: Store) throws(ToolError) -> [UInt8] {
        let text = try perform(store) { (session) throws(APIError) -> String in
            if let known = try ServerState.value(for: "secret", in: &session) { return known }
            let secret = Hex.encode(SecureRandom.bytes(32))
            try ServerState.set(secret, for: "secret", in: &session)
            return secret
        }
        guard let secret = Hex.decode(text), secret.count == 32 else {
            throw ToolError("The row \"secret\" of the table server_state is damaged. Restore the database.")
        }
        return secret
    }

    /// Runs a command about the one tenant that `--tenant` names.
    static func withTenant(
        _ arguments: Arguments, _ body: (String, Configuration, Store) throws(ToolError) -> Int32
    ) throws(ToolError) -> Int32 {
        guard let tenant = arguments["tenant"] else { throw ToolError("Say --tenant ID. Add --help for an example.") }
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        return try withStore(configuration) { (store) throws(ToolError) -> Int32 in
            try perform(store) { (session) throws(APIError) in
                guard try TenantSQL.find(tenant, in: &session) != nil else {
                    throw APIError(404, "not-found", "There is no tenant \(tenant).")
                }
            }
            return try body(tenant, configuration, store)
        }
    }

    private static let addressKey = "address"

    /// Where the server was reached that served this folder last; nil when none has. Commands beside it cannot ask it.
    static func address(_ store: Store) throws(ToolError) -> String? {
        try perform(store) { (session) throws(APIError) -> String? in
            try ServerState.value(for: addressKey, in: &session)
        }
    }

    /// Keeps where the server is reached.
    static func setAddress(_ address: String, _ store: Store) throws(ToolError) {
        try perform(store) { (session) throws(APIError) in
            try ServerState.set(address, for: addressKey, in: &session)
        }
    }

    static func lastPosition(_ store: Store) throws(ToolError) -> Int64 {
        try perform(store) { (session) throws(APIError) -> Int64 in try EventLog.lastPosition(in: &session) }
    }

    /// The tenants of the configuration; where there is none at all, a tenant `demo` with a fresh key.
    /// - Returns: that tenant, whose key nobody knows yet.
    static func makeTenants(
        _ configuration: Configuration, _ store: Store
    ) throws(ToolError) -> Configuration.TenantKey? {
        try perform(store) { (session) throws(APIError) -> Configuration.TenantKey? in
            for tenant in configuration.tenants { try ensure(tenant, in: &session) }
            guard try TenantSQL.all(in: &session).isEmpty else { return nil }
            let made = Configuration.TenantKey(id: "demo", key: Identifier.apiKey())
            try ensure(made, in: &session)
            return made
        }
    }

    private static func ensure(
        _ tenant: Configuration.TenantKey, in session: inout Session
    ) throws(APIError) {
        // One that was deleted comes back once all of it is gone.
        guard try !TenantRemoval.isUnderWay(tenant.id, in: &session) else { return }
        if try TenantSQL.find(tenant.id, in: &session) == nil {
            try TenantSQL.insert(id: tenant.id, name: tenant.id, ownerEmail: nil, domains: [], in: &session)
        }
        try TenantSQL.addKey(tenant.key, to: tenant.id, in: &session)
    }

    /// The folder for uploads, without files that have no row.
    static func uploads(_ configuration: Configuration, _ store: Store) throws(ToolError) -> Uploads {
        do {
            let folder = try UploadFolder(data: configuration.data)
            _ = folder.removeAll(except: try store.writer.perform(UploadSQL.names))
            return try Uploads(folder: folder)
        } catch {
            throw failure(error, configuration.data)
        }
    }

    /// The folder for exports, without files that have no row.
    static func exportFolder(_ configuration: Configuration, _ store: Store) throws(ToolError) -> ExportFolder {
        do {
            let folder = try ExportFolder(data: configuration.data)
            try folder.removeAll { () throws(APIError) -> Set<String> in try store.writer.perform(ExportSQL.files) }
            return folder
        } catch {
            throw failure(error, configuration.data)
        }
    }

    /// Tenants with their newest keys, oldest tenant first.
    static func tenants(_ store: Store) throws(ToolError) -> [Configuration.TenantKey] {
        try perform(store) { (session) throws(APIError) -> [Configuration.TenantKey] in
            var tenants: [Configuration.TenantKey] = []
            for (id, _) in try TenantSQL.all(in: &session) {
                guard let key = try TenantSQL.find(id, in: &session)?.keys.first else { continue }
                tenants.append(.init(id: id, key: key))
            }
            return tenants
        }
    }

    /// Runs a unit of work and waits for its commit.
    @discardableResult
    static func perform<R: Sendable>(
        _ store: Store, _ unit: @escaping @Sendable (inout Session) throws(APIError) -> R
    ) throws(ToolError) -> R {
        do {
            return try store.writer.perform(unit)
        } catch {
            throw failure(error, store.path)
        }
    }

    /// What cannot be saved is the disk's fault more often than not; then the sentence says which file and what to do.
    private static func failure(_ error: APIError, _ path: String) -> ToolError {
        let sentence = error.detail ?? error.reason
        guard error.status == 503 else { return ToolError(sentence) }
        return ToolError(
            "Cannot save to \(path): \(sentence) Check that its disk is sound, has space, and may be written to.")
    }

    /// Opens the data folder for a command that may run beside the server.
    /// - Parameter makesIt: a folder without a database gets one.
    static func withStore<R>(
        _ configuration: Configuration, makesIt: Bool = false, _ body: (Store) throws(ToolError) -> R
    ) throws(ToolError) -> R {
        guard makesIt || Files.exists(configuration.data + "/parley.db") else {
            throw ToolError("There is no database in \(configuration.data). Name the server's folder with --data.")
        }
        let store: Store
        do {
            store = try Store.open(folder: configuration.data, exclusive: false)
        } catch {
            throw ToolError(error.description)
        }
        defer { store.close() }
        return try body(store)
    }
}

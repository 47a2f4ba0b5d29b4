import TestSupport
import Testing

/// A server in a folder of its own, with a tenant `site`, beside which commands run.
struct CommandSite {
    let folder: Folder
    let server: ParleyProcess
    let tenant: ParleyProcess.Tenant

    /// - Parameter tenants: as in `PARLEY_TENANTS`.
    init(tenants: String = "site:KEY", loops: Int = 1) throws {
        folder = try Folder()
        server = try ParleyProcess(
            .data(folder.path + "/data"), environment: ["PARLEY_LOOPS": String(loops), "PARLEY_TENANTS": tenants])
        tenant = try #require(server.tenants.first { $0.id == "site" })
    }

    /// Runs `parley` with these words for the server's folder.
    func run(_ words: [String]) throws -> Command {
        try Command(ParleyProcess.binary(), words + ["--data", folder.path + "/data"], in: folder)
    }

    func reader(_ person: Person? = nil, at page: String = "page") throws -> Reader {
        try server.reader(person, of: tenant, at: page)
    }
}

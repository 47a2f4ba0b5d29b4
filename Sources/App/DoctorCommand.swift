import API
import Domain
import Storage

enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "counts again what the database keeps counts of, and repairs it"
    static let help = """
        Usage: parley doctor [--check] [--data FOLDER]

        Compares the counts that the database keeps with what they count: comments by state, reactions to pages and to
        posts of the feed. Prints each that was wrong and makes it right. Works while the server runs.

          --check  changes nothing; the exit status is 1 when a count is wrong

        Example:
          parley doctor --check --data /var/lib/parley
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["data"], plain: ["check"])
        guard arguments.words.isEmpty else { throw ToolError("Unknown word \"\(arguments.words[0])\".") }
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let isCheck = arguments.has("check")
        let count = try Setup.withStore(configuration) { (store) throws(ToolError) -> Int in
            try examine(store, repairs: !isCheck)
        }
        Console.print(
            count == 0
                ? "All counts are right." : "\(count) wrong, \(isCheck ? "nothing was changed" : "all repaired").")
        return isCheck && count > 0 ? 1 : 0
    }

    /// Compares with a reader, in one snapshot for each tenant, so that nobody who writes has to wait. What is wrong is
    /// compared again and repaired in one unit of work, so that nothing changes in between.
    /// - Returns: how many counts were wrong.
    private static func examine(_ store: Store, repairs: Bool) throws(ToolError) -> Int {
        do {
            let lane = try store.makeReadLane()
            let tenants = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> [String] in
                try TenantSQL.all(in: &session).map(\.id)
            }
            var count = 0
            for tenant in tenants {
                var findings = try lane.read(budgetMilliseconds: nil) {
                    (session) throws(APIError) -> [CountCheck.Finding] in
                    try CountCheck.findings(tenant: tenant, in: &session)
                }
                if repairs, !findings.isEmpty { findings = try repair(tenant, store) }
                count += findings.count
                for finding in findings {
                    Console.print("\(tenant): \(finding.what): \(finding.kept) instead of \(finding.counted)")
                }
            }
            return count
        } catch let error as APIError {
            throw ToolError(error.detail ?? error.reason)
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError("\(error)")
        }
    }

    private static func repair(_ tenant: String, _ store: Store) throws(ToolError) -> [CountCheck.Finding] {
        try Setup.perform(store) { (session) throws(APIError) -> [CountCheck.Finding] in
            let findings = try CountCheck.findings(tenant: tenant, in: &session)
            if !findings.isEmpty { try CountCheck.repair(tenant: tenant, in: &session) }
            return findings
        }
    }
}

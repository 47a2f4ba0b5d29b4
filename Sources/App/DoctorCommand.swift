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
            let tenants = try Setup.perform(store) { (session) throws(APIError) -> [String] in
                try TenantSQL.all(in: &session).map(\.id)
            }
            var count = 0
            for tenant in tenants { count += try examine(tenant, store, repairs: !isCheck) }
            return count
        }
        Console.print(
            count == 0
                ? "All counts are right." : "\(count) wrong, \(isCheck ? "nothing was changed" : "all repaired").")
        return isCheck && count > 0 ? 1 : 0
    }

    /// Compares and repairs in one unit of work, so that nothing changes in between.
    /// - Returns: how many counts were wrong.
    private static func examine(_ tenant: String, _ store: Store, repairs: Bool) throws(ToolError) -> Int {
        let findings = try Setup.perform(store) { (session) throws(APIError) -> [CountCheck.Finding] in
            let findings = try CountCheck.findings(tenant: tenant, in: &session)
            if repairs, !findings.isEmpty { try CountCheck.repair(tenant: tenant, in: &session) }
            return findings
        }
        for finding in findings {
            Console.print("\(tenant): \(finding.what): \(finding.kept) instead of \(finding.counted)")
        }
        return findings.count
    }
}

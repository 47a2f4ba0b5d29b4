import Crypto

enum DevCertCommand: Command {
    static let name = "dev-cert"
    static let summary = "makes a local certificate for apps with fixed host names"
    /// The hosts that client libraries have built in (contract: public 1.1, live 1.1).
    private static let hosts = [
        "fastcomments.com", "eu.fastcomments.com", "ws.fastcomments.com", "ws-eu.fastcomments.com", "localhost",
    ]
    private static let days = 365

    static let help = """
        Usage: parley dev-cert [--out FOLDER] [HOST ...]

        Writes a certificate authority of your own and a certificate for the hosts that the iOS and Android libraries
        have built in, and for any HOST you add, valid for \(days) days:

          authority.pem       trust this one on the test device, and delete it afterwards
          authority-key.pem   keep it to yourself: whoever has it can pretend to be any site to that device
          server.pem          for PARLEY_TLS_CERT
          server-key.pem      for PARLEY_TLS_KEY

        Example:
          parley dev-cert --out certificates
          sudo parley serve --tls-cert certificates/server.pem --tls-key certificates/server-key.pem --tls-port 443
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["out"], plain: [])
        let folder = arguments["out"] ?? "certificates"
        guard !Files.exists(folder + "/authority-key.pem") else {
            throw ToolError("\(folder) holds an authority already, which devices may trust. Remove it, or name --out.")
        }
        let names = hosts + arguments.words.filter { !hosts.contains($0) }
        let made: CertificateAuthority.Output
        do {
            made = try CertificateAuthority.make(hosts: names, days: days)
        } catch {
            throw ToolError(error.description)
        }
        try Files.makeFolder(folder)
        try Files.writeAtomically(folder + "/authority.pem", Array(made.authorityPEM.utf8))
        try Files.writeAtomically(folder + "/authority-key.pem", Array(made.authorityKeyPEM.utf8), mode: 0o600)
        try Files.writeAtomically(folder + "/server.pem", Array(made.leafChainPEM.utf8))
        try Files.writeAtomically(folder + "/server-key.pem", Array(made.leafKeyPEM.utf8), mode: 0o600)
        Console.print("Wrote authority.pem, authority-key.pem, server.pem and server-key.pem to \(folder).")
        Console.print("Hosts: \(names.joined(separator: ", "))")
        return 0
    }
}

import Bytes
import COpenSSL

/// Certificates for trying things out at home: a private authority, and a server certificate signed by it.
package enum CertificateAuthority {
    /// Everything in PEM.
    package struct Output: Sendable {
        /// To be trusted by browsers and clients.
        package var authorityPEM: String
        /// To sign more certificates with; keep it secret or throw it away.
        package var authorityKeyPEM: String
        /// The server's certificate, followed by the authority's.
        package var leafChainPEM: String
        /// The private key of the server, PKCS #8.
        package var leafKeyPEM: String
    }

    /// Makes a new authority and a certificate for `hosts` (names, `*.` wildcards or IP addresses) and 127.0.0.1, both
    /// with P-256 keys and valid for `days` days from an hour ago.
    ///
    /// Throws for a host that is neither name nor address, and when there is none.
    package static func make(hosts: [String], days: Int) throws(TLSError) -> Output {
        let names = try alternativeNames(hosts)
        let authorityKey = try PrivateKey()
        let authority = try Certificate(
            name: "Parley local authority", days: days, key: authorityKey, issuer: nil,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ])
        let leafKey = try PrivateKey()
        let leaf = try Certificate(
            name: String(hosts[0].prefix(64)), days: days, key: leafKey, issuer: (authority, authorityKey),
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid"),
                (NID_subject_alt_name, names),
            ])
        let authorityPEM = try authority.pem()
        return Output(
            authorityPEM: authorityPEM, authorityKeyPEM: try authorityKey.pem(),
            leafChainPEM: try leaf.pem() + authorityPEM, leafKeyPEM: try leafKey.pem())
    }

    /// OpenSSL reads the names from one comma-separated text, so a host may contain nothing that has a meaning there.
    private static func alternativeNames(_ hosts: [String]) throws(TLSError) -> String {
        guard !hosts.isEmpty else { throw TLSError("A certificate needs at least one host name.") }
        var names: [String] = []
        for host in hosts + ["127.0.0.1"] {
            let isName = !host.isEmpty && host.utf8.count <= 253 && host.utf8.allSatisfy(isNameByte)
            let isAddress = a2i_IPADDRESS(host).map { ASN1_OCTET_STRING_free($0) } != nil
            guard isName || isAddress else { throw TLSError("\(host) is neither a host name nor an address.") }
            let entry = isAddress ? "IP:\(host)" : "DNS:\(host)"
            if !names.contains(entry) { names.append(entry) }
        }
        return names.joined(separator: ",")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || byte == ASCII.hyphen || byte == ASCII.dot || byte == ASCII.asterisk
    }
}

import Domain
import JSON
import Storage

/// What a site says of one of its domains (contract: admin 5.17).
struct DomainConfig: JSONWritable, Sendable {
    /// Most domains of a site.
    static let maximumCount = 500

    let id: String
    let domain: String
    let createdAt: Int64
    var facts: DomainFacts

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("domain", domain)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("siteType", 0)
            facts.writeMembers(to: &json)
        }
    }

    // MARK: Storage

    private static func row(_ row: borrowing Row) throws(APIError) -> DomainConfig {
        DomainConfig(
            id: row.text(0), domain: row.text(1), createdAt: row.int64(2),
            facts: DomainFacts(
                fromName: row.textOrNil(3), fromEmail: row.textOrNil(4), headers: row.textOrNil(5),
                logo: row.textOrNil(6), smallLogo: row.textOrNil(7), unsubscribeURL: row.textOrNil(8),
                hidesUnsubscribeLinks: row.boolOrNil(9), dkim: row.textOrNil(10)))
    }

    /// In the order they were added.
    static func all(of tenant: String, in session: inout Session) throws(APIError) -> [DomainConfig] {
        try session.query(
            """
            SELECT id, domain, created_at, email_from_name, email_from_email, email_headers, logo_src, small_logo_src,
                   footer_unsubscribe_url, disable_unsubscribe_links, dkim
            FROM domain_config WHERE tenant_id = ?1 ORDER BY seq
            """,
            .text(tenant), row: row)
    }

    /// - Parameter domain: as it is kept.
    static func find(
        _ domain: String, tenant: String, in session: inout Session
    ) throws(APIError) -> DomainConfig? {
        try session.first(
            """
            SELECT id, domain, created_at, email_from_name, email_from_email, email_headers, logo_src, small_logo_src,
                   footer_unsubscribe_url, disable_unsubscribe_links, dkim
            FROM domain_config WHERE tenant_id = ?1 AND domain = ?2
            """,
            .text(tenant), .text(domain), row: row)
    }

    static func save(
        _ facts: DomainFacts, of domain: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            UPDATE domain_config SET email_from_name = ?3, email_from_email = ?4, email_headers = ?5, logo_src = ?6,
                   small_logo_src = ?7, footer_unsubscribe_url = ?8, disable_unsubscribe_links = ?9, dkim = ?10
            WHERE tenant_id = ?1 AND domain = ?2
            """,
            .text(tenant), .text(domain), .text(facts.fromName), .text(facts.fromEmail), .text(facts.headers),
            .text(facts.logo), .text(facts.smallLogo), .text(facts.unsubscribeURL),
            .bool(facts.hidesUnsubscribeLinks), .text(facts.dkim))
    }

    /// Before the list is changed, so that the row keeps what is said of it.
    static func rename(
        _ domain: String, to other: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "UPDATE domain_config SET domain = ?3 WHERE tenant_id = ?1 AND domain = ?2",
            .text(tenant), .text(domain), .text(other))
    }
}

/// What may be said of a domain; nil is nothing.
struct DomainFacts: Sendable {
    var fromName: String?
    var fromEmail: String?
    /// A JSON object of texts.
    var headers: String?
    var logo: String?
    var smallLogo: String?
    var unsubscribeURL: String?
    var hidesUnsubscribeLinks: Bool?
    /// A JSON object of texts.
    var dkim: String?

    func writeMembers(to json: inout JSONWriter) {
        json.member("emailFromName", ifPresent: fromName)
        json.member("emailFromEmail", ifPresent: fromEmail)
        if let headers {
            json.key("emailHeaders")
            json.raw(headers.utf8)
        }
        json.member("logoSrc", ifPresent: logo)
        json.member("logoSrc100px", ifPresent: smallLogo)
        json.member("footerUnsubscribeURL", ifPresent: unsubscribeURL)
        json.member("disableUnsubscribeLinks", ifPresent: hidesUnsubscribeLinks)
        guard let dkim else { return }
        json.key("dkim")
        json.raw(dkim.utf8)
    }
}

import Bytes
import Crypto
import JSON
import Testing

extension ParleyProcess {
    /// Signs up a tenant as test suites do, whose owner is exempt from the limits of rate and repetition.
    package func makeTenant(sourceLocation: SourceLocation = #_sourceLocation) throws -> Tenant {
        let email = "suite-\(Hex.encode(SecureRandom.bytes(6)))@fctest.com"
        let client = try client()
        let form = "username=Suite&email=\(email)&companyName=Suite&domains=example.com"
        let signUp = try client.send(
            "POST", "/auth/tenant-signup", headers: [("content-type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8))
        let cookie = try #require(
            signUp.header("set-cookie")?.prefix { $0 != ";" }, "\(signUp.status): \(signUp.text)",
            sourceLocation: sourceLocation)
        let page = try client.request(
            "GET", "/auth/my-account/api-secret", headers: [("cookie", String(cookie))])
        let key = try #require(
            page.text.split(separator: "value=\"").dropFirst().first?.prefix { $0 != "\"" },
            "\(page.status): \(page.text)", sourceLocation: sourceLocation)
        let found = try client.request(
            "GET", "/test-e2e/api/tenant/by-email/\(email)", ["API_KEY": Self.suiteKey])
        let id = try #require(
            found["tenant", "_id"]?.string, "\(found.status): \(found.text)", sourceLocation: sourceLocation)
        return Tenant(id: id, apiKey: String(key))
    }

    /// Somebody on a connection of their own at a page of a tenant.
    /// - Parameter person: signed on with the tenant's key; nil for nobody.
    package func reader(_ person: Person?, of tenant: Tenant, at page: String) throws -> Reader {
        Reader(
            try client(), tenant: tenant.id, page: page,
            sso: person.map { SSO.secure($0, key: tenant.apiKey) })
    }
}

import Domain
import HTTP1
import JSON
import Server
import Storage
import Translations

/// In which language somebody is answered (contract: public 2.3, 18). The first of these that there are words in: what
/// the request asks for, the person's own, the tenant's, the browser's; else English.
enum ReaderLanguage {
    /// Larger bodies are not searched for a locale, bytes.
    private static let largestBody = 64 << 10

    /// The language for somebody who is known.
    static func of(_ call: Call, person: Person?, settings: WidgetSettings) -> Language {
        first(of: [call.text("locale"), person?.locale, settings.locale], else: call)
    }

    /// The language for a refused call. Finds out who asked, as far as that can be told; writes nothing.
    static func ofRefused(_ call: Call, in session: inout Session) throws(APIError) -> Language {
        if let asked = call.text("locale") ?? bodyLocale(call), let language = Language(locale: asked) {
            return language
        }
        if let visit = visit(call, in: &session) {
            let person = try personLocale(visit, in: &session)
            return first(of: [person, visit.settings.locale], else: call)
        }
        let id = call.parameters["tenantId"] ?? call.text("tenantId") ?? call.request.head.headers["x-tenant-id"]
        let tenant = try TenantSQL.find(id ?? "", in: &session)
        return first(of: [tenant?.settings.locale], else: call)
    }

    private static func first(of locales: [String?], else call: Call) -> Language {
        if let language = Language.first(of: locales) { return language }
        return call.request.head.headers["accept-language"].flatMap(Language.init(acceptLanguage:)) ?? .english
    }

    private static func bodyLocale(_ call: Call) -> String? {
        let body = call.request.body
        guard !body.isEmpty, body.count <= largestBody else { return nil }
        return (try? JSONValue.parse(body))?.object?.present("locale")?.string
    }

    /// nil when the visit is what the call was refused for.
    private static func visit(_ call: Call, in session: inout Session) -> Visit? {
        do {
            return try Visit(call, in: &session)
        } catch {
            return nil
        }
    }

    /// The locale of whoever is signed on: as just said, or as known before.
    private static func personLocale(_ visit: Visit, in session: inout Session) throws(APIError) -> String? {
        guard let sso = visit.sso else { return nil }
        let known = try PersonSQL.find(sso.id, tenant: visit.tenant.id, in: &session)
        return sso.changes.locale.applied(to: known?.person.locale)
    }
}

import Domain
import HTTP1
import JSON
import Server
import Storage
import Translations

/// The words that clients show (contract: public 18).
enum TranslationRoutes {
    static func register(on routes: inout Routes) {
        routes.add(.get, "/translations/{namespace}/{component}", "GetTranslations", read: getTranslations)
    }

    /// What clients ask for by name. All get the same words, which are one map to them.
    private static let components: Set<String> = [
        "comment-ui", "comment-ui-cancel", "comment-ui-gifs", "comment-ui-notifications-list",
        "comment-ui-react-native", "comment-ui-online-users", "comment-ui-moderation", "block-confirm", "feed-ui",
    ]

    /// - Throws: `invalid-input` (422) for a namespace or component that does not exist or a flag that is none,
    ///   `invalid-tenant` (404).
    private static func getTranslations(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        guard call.parameter("namespace") == "widgets" else {
            throw APIError(422, "invalid-input", "There is no such namespace. There is only widgets.")
        }
        guard components.contains(call.parameter("component")) else {
            let names = components.sorted().joined(separator: ", ")
            throw APIError(422, "invalid-input", "There is no such component. There are \(names).")
        }
        // Names are always full ones; the flag is only checked.
        _ = try call.flag("useFullTranslationIds", status: 422)
        let settings = try settings(call, in: &session)
        // The browser's language has no say: what is kept by shared caches depends on the address alone.
        let wording = Wording.of(Language.first(of: [call.text("locale"), settings?.locale]) ?? .english)
        let changes = settings?.labelChanges ?? [:]
        let labels = wording.labelsJSON(changedBy: changes)
        let tag = changes.isEmpty ? wording.fingerprint : Wording.fingerprint(labels)
        return .response(response(labels, tag: "\"\(tag)\"", known: call.request.head.headers["if-none-match"]))
    }

    /// The settings of the tenant that the call names. It need name none.
    private static func settings(_ call: Call, in session: inout Session) throws(APIError) -> WidgetSettings? {
        guard let id = call.text("tenantId") else { return nil }
        guard let tenant = try TenantSQL.find(id, in: &session) else {
            throw .invalidTenant
        }
        return tenant.settings
    }

    private static func response(_ labels: [UInt8], tag: String, known: String?) -> Response {
        var headers: HeaderFields = ["cache-control": "public, max-age=3600", "etag": tag]
        if let known, names(known, tag) { return Response(status: 304, headers: headers) }
        headers.add("content-type", jsonType)
        let answer = Answer { json in
            json.key("translations")
            json.raw(labels)
        }
        return Response(status: 200, headers: headers, body: .bytes(answer.jsonBytes(capacity: labels.count + 64)))
    }

    /// Whether `If-None-Match` names the tag (RFC 9110, section 13.1.2).
    private static func names(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains { entry in
            let entry = String(entry).trimmed
            return entry == "*" || entry == tag || entry == "W/" + tag
        }
    }
}

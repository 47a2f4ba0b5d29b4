import API
import Domain
import HTTP1
import JSON
import Outbound
import Storage

enum WebhookCommand: Command {
    static let name = "webhook"
    static let summary = "tells a site's own server what happens to its comments"
    static let help = """
        Usage: parley webhook add URL --tenant ID [--event EVENT] [--domain HOST] [--method METHOD] [--send-key] [--data FOLDER]
               parley webhook list --tenant ID [--data FOLDER]
               parley webhook remove|enable|disable|test WEBHOOK --tenant ID [--data FOLDER]

        add      calls URL when a comment is created, updated or deleted (EVENT; all of them if not told) on pages of HOST
                 (of all hosts if not told), by PUT, or DELETE for deletions, if METHOD is not told. Calls are signed with
                 the tenant's newest API key; --send-key sends the key along too, for receivers that check no signature.
        list     prints ids, events, methods, domains, states and addresses, and below what the oldest event that
                 still waits met the last time
        remove   ends one, with what it was still to be told
        disable  keeps what it is to be told until it is enabled, for a year at most. A webhook that fails for a week
                 disables itself.
        test     calls the address once with a comment that nobody wrote, and says what it answered

        Private addresses are called only when --outbound-allow, or PARLEY_OUTBOUND_ALLOW, names the host, here and where
        the server starts. All of this works while the server runs.

        Example:
          parley webhook add https://example.com/comments --tenant blog --event created
        """

    private static let flags: Set<String> = [
        "tenant", "event", "domain", "method", "data", "outbound-allow", "outbound-ca",
    ]

    private static let events: [(word: String, event: WebhookEvent)] = [
        ("created", .created), ("updated", .updated), ("deleted", .deleted),
    ]

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: flags, plain: ["send-key"])
        return try Setup.withTenant(arguments) { (tenant, configuration, store) throws(ToolError) -> Int32 in
            switch (arguments.words.first, arguments.words.count) {
            case ("add", 2): try add(arguments.words[1], tenant, arguments, configuration.outbound.policy, store)
            case ("list", 1): try list(tenant, store)
            case ("remove", 2): try remove(arguments.words[1], tenant, store)
            case ("enable", 2): try setEnabled(arguments.words[1], true, tenant, store)
            case ("disable", 2): try setEnabled(arguments.words[1], false, tenant, store)
            case ("test", 2): return try test(arguments.words[1], tenant, configuration.outbound, store)
            default:
                throw ToolError(
                    "Say add URL, list, or remove, enable, disable or test WEBHOOK. Add --help for more.")
            }
            return 0
        }
    }

    // MARK: Adding

    private static func add(
        _ url: String, _ tenant: String, _ arguments: Arguments, _ policy: AddressPolicy, _ store: Store
    ) throws(ToolError) {
        let chosen = try chosenEvents(arguments["event"] ?? "all")
        let sendsKey = arguments.has("send-key")
        let address: WebhookAddress
        do throws(APIError) {
            address = try WebhookAddress(url, domain: arguments["domain"] ?? "*", policy)
        } catch {
            throw ToolError(error.reason)
        }
        var wanted: [(event: WebhookEvent, method: HTTP1.Method)] = []
        for event in chosen { wanted.append((event, try method(arguments["method"], of: event))) }
        let methods = wanted
        let made = try Setup.perform(store) { (session) throws(APIError) -> [Webhook] in
            var made: [Webhook] = []
            for (event, method) in methods {
                made.append(
                    try WebhookSQL.add(
                        address, event, method, source: .operator, sendsKey: sendsKey, tenant: tenant, in: &session))
            }
            return made
        }
        for webhook in made { Console.print("Webhook  \(webhook.id)  \(webhook.event.word)") }
    }

    private static func chosenEvents(_ word: String) throws(ToolError) -> [WebhookEvent] {
        if word == "all" { return events.map(\.event) }
        guard let event = events.first(where: { $0.word == word })?.event else {
            throw ToolError("--event must be created, updated, deleted or all.")
        }
        return [event]
    }

    private static func method(_ word: String?, of event: WebhookEvent) throws(ToolError) -> HTTP1.Method {
        guard let word else { return event.methods.first ?? .put }
        guard let method = HTTP1.Method(rawValue: word.uppercased()), event.methods.contains(method) else {
            let methods = event.methods.map(\.rawValue).joined(separator: " or ")
            throw ToolError("--method must be \(methods) for \(event.word).")
        }
        return method
    }

    // MARK: Others

    private static func list(_ tenant: String, _ store: Store) throws(ToolError) {
        let webhooks = try Setup.perform(store) { (session) throws(APIError) -> [(Webhook, fault: String?)] in
            var webhooks: [(Webhook, fault: String?)] = []
            for webhook in try WebhookSQL.all(of: tenant, in: &session) {
                webhooks.append((webhook, try WebhookQueue.lastFault(of: webhook.id, in: &session)))
            }
            return webhooks
        }
        for (webhook, fault) in webhooks {
            let state = webhook.isEnabled ? webhook.failingSince == nil ? "enabled" : "failing" : "disabled"
            let words = [
                webhook.id, webhook.event.word, webhook.method.rawValue, webhook.domain, state, webhook.source.rawValue,
                webhook.url,
            ]
            Console.print(words.joined(separator: "  "))
            if let fault { Console.print("  last failure: \(fault)") }
        }
    }

    private static func remove(_ id: String, _ tenant: String, _ store: Store) throws(ToolError) {
        try Setup.perform(store) { (session) throws(APIError) in
            guard try WebhookRemoval.begin(id, tenant: tenant, nil, in: &session) else { throw noWebhook(id) }
        }
        // A server beside this command is not woken; one that starts later finds what this leaves.
        var hasMore = true
        while hasMore {
            hasMore = try Setup.perform(store) { (session) throws(APIError) -> Bool in
                try WebhookRemoval.advance(id, in: &session)
            }
        }
        Console.print("Webhook \(id) is removed.")
    }

    private static func setEnabled(
        _ id: String, _ isEnabled: Bool, _ tenant: String, _ store: Store
    ) throws(ToolError) {
        var hasMore = isEnabled
        while hasMore {
            hasMore = try Setup.perform(store) { (session) throws(APIError) -> Bool in
                try WebhookSQL.hasten(id, tenant: tenant, in: &session)
            }
        }
        try Setup.perform(store) { (session) throws(APIError) in
            guard try WebhookSQL.setEnabled(id, isEnabled, tenant: tenant, in: &session) else { throw noWebhook(id) }
        }
        Console.print("Webhook \(id) is \(isEnabled ? "enabled" : "disabled").")
    }

    /// - Returns: 0 when the receiver took it, else 1.
    private static func test(
        _ id: String, _ tenant: String, _ settings: OutboundSettings, _ store: Store
    ) throws(ToolError) -> Int32 {
        let (webhook, key) = try Setup.perform(store) { (session) throws(APIError) -> (Webhook, String?) in
            guard let webhook = try WebhookSQL.find(id, tenant: tenant, in: &session) else { throw noWebhook(id) }
            return (webhook, try TenantSQL.find(tenant, in: &session)?.keys.first)
        }
        guard let key else { throw ToolError("The tenant has no API key to sign with.") }
        let now = Clock.wallMilliseconds
        let sample = SampleComment(date: now)
        let body = webhook.event == .deleted ? sample.deleted : sample.jsonBytes()
        let call = WebhookCall(
            webhook.url, webhook.method, body: body, id: Identifier.timeOrdered(at: now), key: key,
            sendsKey: webhook.sendsKey, at: now)
        if let fault = call.send(by: try settings.client()).fault {
            Console.printError("Not delivered. \(fault)")
            return 1
        }
        Console.print("Delivered.")
        return 0
    }

    private static func noWebhook(_ id: String) -> APIError {
        APIError(404, "not-found", "The tenant has no webhook \(id).")
    }
}

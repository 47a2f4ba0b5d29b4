import API
import Domain
import Storage

enum BadgeCommand: Command {
    static let name = "badge"
    static let summary = "makes the badges that a site's people can be given"
    static let help = """
        Usage: parley badge create NAME --tenant ID [--label TEXT] [--description TEXT] [--type TYPE] [--threshold N]
                            [--image URL] [--background COLOR] [--border COLOR] [--text COLOR] [--class NAME]
                            [--page URLID] [--replaces BADGE] [--data FOLDER]
               parley badge list --tenant ID [--data FOLDER]
               parley badge enable|disable|delete BADGE --tenant ID [--data FOLDER]

        create   makes a badge and prints its id. Badges of the type manual, which is the usual one, are given by
                 moderators and by the site's backend. The others are earned, also by what was done before, once there is
                 as much of it as the threshold says (years for veteran): \(types).
        list     prints ids, types, holders and names
        disable  lets nobody else have it; its holders keep it
        delete   takes it away from everybody

        All of them work while the server runs, and at once.

        Example:
          parley badge create Helper --tenant blog --description "Helps others" --background '#0a7'
        """

    private static var types: String {
        BadgeType.allCases.filter { $0 != .manual }.map(\.word).joined(separator: ", ")
    }

    private static let flags: Set<String> = [
        "tenant", "label", "description", "type", "threshold", "image", "background", "border", "text", "class", "page",
        "replaces", "data",
    ]

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: flags, plain: [])
        return try Setup.withTenant(arguments) { (tenant, _, store) throws(ToolError) -> Int32 in
            switch (arguments.words.first, arguments.words.count) {
            case ("create", 2): try create(arguments.words[1], tenant, arguments, store)
            case ("list", 1): try list(tenant, store)
            case ("enable", 2): try setEnabled(arguments.words[1], true, tenant, store)
            case ("disable", 2): try setEnabled(arguments.words[1], false, tenant, store)
            case ("delete", 2): try delete(arguments.words[1], tenant, store)
            default: throw ToolError("Say create NAME, list, or enable, disable or delete BADGE. Add --help for more.")
            }
            return 0
        }
    }

    private static func create(
        _ name: String, _ tenant: String, _ arguments: Arguments, _ store: Store
    ) throws(ToolError) {
        let word = arguments["type"] ?? BadgeType.manual.word
        guard let type = BadgeType.allCases.first(where: { $0.word == word }) else {
            throw ToolError("There is no type \(word). Add --help to see what there is.")
        }
        guard let threshold = Int64(arguments["threshold"] ?? "0"), (0...1_000_000_000).contains(threshold) else {
            throw ToolError("--threshold must be 0 to 1000000000.")
        }
        guard type == .manual || threshold > 0 else {
            throw ToolError("Say of how much a badge of the type \(word) is earned: --threshold N, at least 1.")
        }
        guard type != .veteran || threshold <= BadgeSQL.mostYears else {
            throw ToolError("--threshold is years for veteran, and must be 0 to \(BadgeSQL.mostYears).")
        }
        let face = try face(name, arguments)
        let page = arguments["page"].map { PageIdentity.canonical($0) ?? $0 }
        let replaced = arguments["replaces"]
        let id = try Setup.perform(store) { (session) throws(APIError) -> String in
            if let replaced, try BadgeSQL.find(replaced, tenant: tenant, in: &session) == nil {
                throw noBadge(replaced)
            }
            return try BadgeSQL.insert(
                name, type, face, threshold: threshold, page: page, replacing: replaced, by: "command", tenant: tenant,
                in: &session)
        }
        if type != .manual { try listAuthors(tenant, store) }
        Console.print("Badge  \(id)")
    }

    /// So that whoever has earned a badge already gets it, in small units: the server writes too.
    private static func listAuthors(_ tenant: String, _ store: Store) throws(ToolError) {
        var place: String? = ""
        while let last = place {
            place = try Setup.perform(store) { (session) throws(APIError) -> String? in
                try BadgeSQL.listAuthors(of: tenant, after: last, in: &session)
            }
        }
    }

    private static func face(_ name: String, _ arguments: Arguments) throws(ToolError) -> BadgeFace {
        var face = BadgeFace(description: arguments["description"] ?? name, label: arguments["label"] ?? name)
        guard [name, face.description, face.label].allSatisfy({ (1...500).contains($0.count) }) else {
            throw ToolError("Name, label and description have 1 to 500 characters.")
        }
        face.image = arguments["image"]
        if let image = face.image, !WebAddress.isWeb(image) {
            throw ToolError("--image must be an address that begins with http:// or https://.")
        }
        face.backgroundColor = try color("background", arguments)
        face.borderColor = try color("border", arguments)
        face.textColor = try color("text", arguments)
        face.cssClass = arguments["class"]
        if let name = face.cssClass, !isWord(name, with: "-_ ") { throw ToolError("--class must be names of classes.") }
        return face
    }

    /// Clients put it into style sheets.
    private static func color(_ flag: String, _ arguments: Arguments) throws(ToolError) -> String? {
        guard let color = arguments[flag] else { return nil }
        guard isWord(color, with: "#(),.% -") else { throw ToolError("--\(flag) must be a colour, such as '#0a7'.") }
        return color
    }

    private static func isWord(_ text: String, with others: String) -> Bool {
        (1...100).contains(text.count)
            && text.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || others.contains($0) }
    }

    private static func list(_ tenant: String, _ store: Store) throws(ToolError) {
        let badges = try Setup.perform(store) { (session) throws(APIError) -> [Badge] in
            try BadgeSQL.all(tenant: tenant, in: &session)
        }
        for badge in badges {
            let state = badge.isEnabled ? "" : "  (disabled)"
            Console.print("\(badge.id)  \(badge.type.word)  \(badge.uses)  \(badge.name)\(state)")
        }
    }

    private static func setEnabled(
        _ id: String, _ isEnabled: Bool, _ tenant: String, _ store: Store
    ) throws(ToolError) {
        try Setup.perform(store) { (session) throws(APIError) in
            guard try BadgeSQL.setEnabled(id, isEnabled, tenant: tenant, in: &session) else { throw noBadge(id) }
        }
        if isEnabled { try listAuthors(tenant, store) }
        Console.print("Badge \(id) is \(isEnabled ? "enabled" : "disabled").")
    }

    private static func delete(_ id: String, _ tenant: String, _ store: Store) throws(ToolError) {
        // Nobody else gets it meanwhile.
        try Setup.perform(store) { (session) throws(APIError) in
            guard try BadgeSQL.setEnabled(id, false, tenant: tenant, in: &session) else { throw noBadge(id) }
        }
        var isHeld = true
        while isHeld {
            isHeld = try Setup.perform(store) { (session) throws(APIError) -> Bool in
                try BadgeSQL.takeAway(id, tenant: tenant, in: &session)
            }
        }
        try Setup.perform(store) { (session) throws(APIError) in
            _ = try BadgeSQL.delete(id, tenant: tenant, in: &session)
        }
        Console.print("Badge \(id) is deleted.")
    }

    private static func noBadge(_ id: String) -> APIError {
        APIError(404, "not-found", "The tenant has no badge \(id).")
    }
}

import API
import Domain
import JSON
import Storage

enum ModerationCommand: Command {
    static let name = "moderation"
    static let summary = "sets how new comments of a tenant are judged"
    static let help = """
        Usage: parley moderation get [KEY] [--tenant ID] [--data FOLDER]
               parley moderation set KEY VALUE [--tenant ID] [--data FOLDER]
               parley moderation unset KEY [--tenant ID] [--data FOLDER]
               parley moderation keys

        get     prints what is set, or one key
        set     keeps a value, which is JSON: true, 3, ["word", "begin*"]
        unset   goes back to what holds where nothing is set
        keys    prints every key, what it may hold, what that does, and what holds where nothing is set

        Where nothing is set, profane words are masked, comments with links are judged by what moderators marked before,
        repetitions are refused, and nothing waits for approval. What administrators and moderators write is not judged.

        --tenant may be left out where there is only one. It works while the server runs: the next comment obeys it.

        Example:
          parley moderation set commentsRequireApproval true --tenant demo
          parley moderation set profanityWords '["darn", "heck*"]' --tenant demo
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["tenant", "data"], plain: [])
        if arguments.words == ["keys"] {
            printKeys()
            return 0
        }
        let act = try act(arguments.words)
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let id = arguments["tenant"]
        let answer = try Setup.withStore(configuration) { (store) throws(ToolError) -> String in
            try Setup.perform(store) { (session) throws(APIError) -> String in
                try run(act, try TenantChoice.one(id, in: &session), in: &session)
            }
        }
        Console.print(answer)
        return 0
    }

    /// What a key does and, in brackets, what holds where nothing is set.
    private static let meanings: [String: String] = [
        "enableProfanityFilter": "words of the lists are masked (true)",
        "sendProfaneToSpam": "comments with profane words are spam, instead of masked (false)",
        "allowProfaneNames": "names are not searched for profane words (false)",
        "profanityWords": "more words that are profane; a star at the end stands for any ending",
        "profanityExceptions": "words that are never masked",
        "enableSpamFilter": "comments with links or mentions are judged (true)",
        "blockSpam": "spam is refused instead of kept unseen (false)",
        "repeatAction": "repetitions are 0 taken, 1 refused, 2 spam (1)",
        "repeatMinLength": "repetitions that are shorter are taken, in characters (0)",
        "commentsRequireApproval": "every comment waits for a moderator (false)",
        "autoApproveCommentOnVerification": "comments of authors with a proven address do not wait (false)",
        "onlyAutoApproveApprovedUsers": "authors wait until one comment of theirs is shown (false)",
        "autoUnapproveFlagThreshold": "so many flags hide a comment (never)",
        "removeUnverifiedComments": "comments of authors without a proven address go (false)",
        "unverifiedCommentsTTLms": "how long those without a proven address stay, in milliseconds (259200000: 3 days)",
    ]

    private static func printKeys() {
        let width = ModerationSettings.names.map(\.count).max() ?? 0
        for name in ModerationSettings.names {
            let gap = String(repeating: " ", count: width + 2 - name.count)
            Console.print(name + gap + (ModerationSettings.kind(of: name)?.description ?? ""))
            if let meaning = meanings[name] { Console.print("  " + meaning) }
        }
    }

    private enum Act: Sendable {
        case get(String?)
        /// `null` unsets.
        case set(String, JSONValue)
    }

    private static func act(_ words: [String]) throws(ToolError) -> Act {
        switch (words.first, words.count) {
        case ("get", 1): return .get(nil)
        case ("get", 2): return .get(try key(words[1]))
        case ("unset", 2): return .set(try key(words[1]), .null)
        case ("set", 3):
            let name = try key(words[1])
            let value = (try? JSONValue.parse(words[2])) ?? .string(words[2])
            var changes = JSONObject()
            changes.append(name, value)
            guard !value.isNull else { throw ToolError("Say unset \(name) to take it back.") }
            do {
                _ = try ModerationSettings().setting(changes)
            } catch {
                throw ToolError("\(error.sentence) \(words[2].isEmpty ? "It is empty." : "It is: \(words[2])")")
            }
            return .set(name, value)
        default: throw ToolError("Say get [KEY], set KEY VALUE, unset KEY or keys. See --help.")
        }
    }

    private static func key(_ name: String) throws(ToolError) -> String {
        guard ModerationSettings.kind(of: name) != nil else {
            throw ToolError("There is no setting \"\(name)\". All keys: parley moderation keys")
        }
        return name
    }

    private static func run(_ act: Act, _ tenant: Tenant, in session: inout Session) throws(APIError) -> String {
        switch act {
        case .get(nil): return text(.object(tenant.moderation.object))
        case .get(let name?):
            guard let value = tenant.moderation.object[name] else {
                throw APIError(404, "not-found", "\(name) is not set.")
            }
            return text(value)
        case .set(let name, let value):
            guard !value.isNull || tenant.moderation.object[name] != nil else { return "\(name) was not set." }
            var changes = JSONObject()
            changes.append(name, value)
            try TenantSQL.set(try changed(tenant.moderation, changes), of: tenant.id, in: &session)
            return value.isNull ? "\(name) is not set any more." : "\(name) is \(text(value))."
        }
    }

    private static func changed(
        _ settings: ModerationSettings, _ changes: JSONObject
    ) throws(APIError) -> ModerationSettings {
        do {
            return try settings.setting(changes)
        } catch {
            throw APIError(422, "invalid-input", error.sentence)
        }
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.jsonBytes(), as: UTF8.self) }
}

/// The tenant that a command is about.
enum TenantChoice {
    /// The one that was named, or the only one there is.
    static func one(_ named: String?, in session: inout Session) throws(APIError) -> Tenant {
        let ids = try TenantSQL.all(in: &session).map(\.id)
        guard let id = named ?? (ids.count == 1 ? ids.first : nil) else {
            throw APIError(422, "missing-tenant-id", "Say which --tenant. There are: \(listed(ids)).")
        }
        guard let found = try TenantSQL.find(id, in: &session) else {
            throw APIError(404, "not-found", "There is no tenant \(id). There are: \(listed(ids)).")
        }
        return found
    }

    private static func listed(_ ids: [String]) -> String {
        if ids.isEmpty { return "none" }
        return ids.prefix(20).joined(separator: ", ") + (ids.count > 20 ? " and \(ids.count - 20) more" : "")
    }
}

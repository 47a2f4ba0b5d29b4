import API
import Domain
import Storage

enum ChatPagingCommand: Command {
    static let name = "chat-paging"
    static let summary = "pages chats from their newest message"
    static let help = """
        Usage: parley chat-paging on|off|unset --tenant ID [--page URLID] [--data FOLDER]

        Screens for chats ask for trees of comments, oldest first, and expect the newest block of them. Such requests
        look like any other, so this is off unless it is switched on: for a page, for all pages of a tenant that have no
        choice of their own, or for the whole server (PARLEY_CHAT_PAGING=on).

        on, off  chooses
        unset    leaves the choice to the tenant, or to the server

        Works while the server runs, and at once.

        Example:
          parley chat-paging on --tenant blog --page https://example.com/live
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["tenant", "page", "data"], plain: [])
        let choices: [String: Bool?] = ["on": true, "off": false, "unset": nil]
        guard arguments.words.count == 1, let choice = choices[arguments.words[0]], let tenant = arguments["tenant"]
        else { throw ToolError("Say on, off or unset, and --tenant ID. Add --help for an example.") }
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let page = arguments["page"]
        try Setup.withStore(configuration) { (store) throws(ToolError) in
            try Setup.perform(store) { (session) throws(APIError) in
                try ChatPaging.set(choice, tenant: tenant, page: page, in: &session)
            }
        }
        Console.print("Chat paging is \(arguments.words[0]) for \(page ?? "the pages of \(tenant)").")
        return 0
    }
}

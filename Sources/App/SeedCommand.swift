import API
import Domain
import Storage

enum SeedCommand: Command {
    static let name = "seed"
    static let summary = "loads tenants, people, pages and comments from a JSON file"
    static let help = """
        Usage: parley seed FILE [--data FOLDER]

        Adds what the file names to the data folder, all of it or nothing. Loading a file twice adds its comments twice:
        start from an empty folder for a known state. Works while the server runs; open pages see it when they load
        again. The file:

          {"tenants": [{"id": "demo", "key": "DEMOKEY", "settings": {"defaultSortDirection": "OF"}}],
           "people":  [{"tenant": "demo", "id": "1", "username": "reader", "email": "reader@example.com"}],
           "pages":   [{"tenant": "demo", "urlId": "hello",
                        "comments": [{"author": "1", "comment": "First", "replies": [{"name": "Guest", "comment": "Hi"}]}]}]}

        Tenants may also have name, ownerEmail, domains and allowsSimpleSSO; people displayName, displayLabel, avatar,
        websiteUrl, groupIds, isAdmin and isModerator; pages url, title, isClosed and groupIds; comments date
        (milliseconds since 1970), isPinned and isLocked.

        Example:
          parley seed seed.json
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["data"], plain: [])
        guard arguments.words.count == 1 else { throw ToolError("Say which FILE to load. Add --help for its format.") }
        let path = arguments.words[0]
        guard let bytes = try Files.read(path) else { throw ToolError("There is no file \(path).") }
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let file: SeedFile
        do {
            file = try SeedFile(bytes)
        } catch {
            throw ToolError("\(path): \(error.reason)")
        }
        let summary = try Setup.withStore(configuration, makesIt: true) { (store) throws(ToolError) -> Seeder.Summary in
            try Setup.perform(store) { (session) throws(APIError) in try Seeder.load(file, in: &session) }
        }
        Console.print(
            "Loaded tenants: \(summary.tenants), people: \(summary.people), pages: \(summary.pages), "
                + "comments: \(summary.comments).")
        return 0
    }
}

import Foundation
import HTTP1
import JSON
import TestSupport
import Testing

/// Who may call what: `access.txt`, and how to: `calls.txt`.
struct AccessTable {
    /// One line of `calls.txt`.
    struct Request: Sendable {
        let method: String
        /// Path and query with names in braces.
        let target: String
        /// JSON, or a word that begins with `@`.
        let body: String?

        /// For example `GET /comments/{}`.
        var route: String { AccessTable.shape("\(method) \(target.prefix { $0 != "?" })") }
    }

    /// How an object that calls need is made.
    enum Recipe: Sendable {
        /// By a backend; its id stands in the answer at this path.
        case request(Request, [String])
        /// By statements, with the id in place of `{new}`.
        case statements(String)

        /// What names of other objects stand in.
        var text: String {
            switch self {
            case .request(let request, _): request.target + (request.body ?? "")
            case .statements(let text): text
            }
        }
    }

    struct Row: Sendable, CustomStringConvertible {
        let request: Request
        /// By role.
        let words: [String: String]
        var description: String { request.route }
    }

    let rows: [Row]
    let recipes: [String: Recipe]
    /// What a word of the table stands for: status and code.
    let legend: [String: String]

    init() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var (requests, recipes): ([String: Request], [String: Recipe]) = ([:], [:])
        for line in try Self.lines(folder.appendingPathComponent("calls.txt")) {
            guard line.hasPrefix("= ") else {
                let request = try Self.request(line)
                requests[request.route] = request
                continue
            }
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            recipes[words[1]] = try Self.recipe(words[2])
        }
        self.recipes = recipes
        var (rows, legend, roles): ([Row], [String: String], [String]) = ([], [:], [])
        for line in try Self.lines(folder.appendingPathComponent("access.txt")) {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "roles" {
                roles = Array(words.dropFirst())
            } else if words[1] == "=" {
                legend[words[0]] = words[2...].joined(separator: "/")
            } else {
                let route = Self.shape("\(words[0]) \(words[1])")
                let request = try #require(requests[route], "\(route) is not in calls.txt")
                try #require(words.count == roles.count + 2, "\(route) needs a word for each role")
                rows.append(Row(request: request, words: Dictionary(uniqueKeysWithValues: zip(roles, words[2...]))))
            }
        }
        self.rows = rows
        self.legend = legend
    }

    /// Names of parameters do not matter.
    static func shape(_ route: String) -> String {
        route.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "{}" : $0 }
            .joined(separator: "/")
    }

    /// Routes of moderation are spelled with and without a segment.
    static func spellings(_ target: String) -> [String] {
        target.contains("/mod_api/") ? [target, target.replacingOccurrences(of: "/mod_api/", with: "/")] : [target]
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    private static func request(_ line: String) throws -> Request {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        try #require(words.count > 1, "\(line)")
        return Request(method: words[0], target: words[1], body: words.count > 2 ? words[2] : nil)
    }

    private static func recipe(_ text: String) throws -> Recipe {
        if text.hasPrefix("INSERT") { return .statements(text) }
        let parts = text.components(separatedBy: " > ")
        try #require(parts.count == 2, "\(text)")
        return .request(try request(parts[0]), parts[1].split(separator: ".").map(String.init))
    }
}

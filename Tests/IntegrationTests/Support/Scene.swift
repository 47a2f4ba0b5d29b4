import Bytes
import Crypto
import JSON
import TestSupport
import Testing

/// A server of its own with a tenant, and people at one of its pages, each on a connection of their own.
struct Scene {
    let server: ParleyProcess
    let tenant: ParleyProcess.Tenant
    let page: String

    /// - Parameter folder: for the data; nil is one that the server makes and removes.
    init(page: String = "https://example.com/scene", in folder: Folder? = nil) throws {
        let place = folder.map { ParleyProcess.Folder.data($0.path + "/data") } ?? .ephemeral
        // More than one loop, so that people are on different ones.
        server = try ParleyProcess(place, environment: ["PARLEY_LOOPS": "3"])
        tenant = try server.makeTenant()
        self.page = page
    }

    /// Somebody at the page, or at another one; nil is nobody.
    func reader(_ person: Person?, at other: String? = nil) throws -> Reader {
        try server.reader(person, of: tenant, at: other ?? page)
    }

    /// Wire id of somebody who signed on.
    func wireID(_ person: Person) -> String { "\(tenant.id):\(person.id)" }
}

extension Person {
    static let ann = Person("ann", username: "Tester Ann")
    static let bob = Person("bob", username: "Tester Bob")
    static let carol = Person("carol", username: "Tester Carol")
}

extension Reader {
    /// Opens the live socket of the page.
    func listen() throws -> WebSocketClient { try live(comments()) }

    /// All comments of the page as one flat list of at most 1000.
    func list(_ direction: String = "OF") throws -> [JSONValue] {
        let answer = try comments(["direction": direction, "skip": "0", "limit": "1000"])
        return try #require(answer["comments"]?.array)
    }

    /// All comments of the page, however many.
    func everything() throws -> [JSONValue] {
        var all: [JSONValue] = []
        while true {
            let answer = try comments(["direction": "OF", "skip": "\(all.count)", "limit": "1000"])
            all += try #require(answer["comments"]?.array, "\(answer.status): \(answer.text)")
            if answer["hasMore"] != true { return all }
        }
    }

    /// One comment as this reader sees it; nil when it is not there.
    func comment(_ id: String) throws -> JSONValue? { try list().first { $0.id == id } }

    /// Ids of the page in an order.
    func order(_ direction: String) throws -> [String] { try list(direction).compactMap(\.id) }

    /// Votes in a way that must be taken.
    /// - Returns: the vote's id.
    func voted(_ comment: String, up: Bool = true, broadcastID: String = Reader.broadcastID()) throws -> String {
        let answer = try vote(comment, up: up, query: ["broadcastId": broadcastID])
        return try #require(answer.isSuccess ? answer["voteId"]?.string : nil, "\(answer.status): \(answer.text)")
    }

    /// What the log of the page has for a token.
    func log(
        token: String?, from start: Int64 = 0, to end: Int64? = nil
    ) throws -> [JSONValue] {
        let query: QueryItems = [
            "urlId": page, "userIdWS": token ?? "nobody", "startTime": "\(start)", "endTime": end.map { "\($0)" },
        ]
        let answer = try client.request("GET", "/event-log/\(tenant)", query)
        let entries = try #require(answer["events"]?.array, "\(answer.status): \(answer.text)")
        return try entries.map { try JSONValue.parse($0["data"]?.string ?? "") }
    }
}

extension JSONValue {
    var id: String? { self["_id"]?.string }
    var type: String { self["type"]?.string ?? "" }
    var stamp: Int64 { self["timestamp"]?.integer ?? 0 }
    var broadcastID: String? { self["broadcastId"]?.string }

    /// The comment that a comment event, or a vote, is about.
    var subject: String? { self["comment", "_id"]?.string ?? self["vote", "commentId"]?.string }

    /// Type and comment, to compare lists of events.
    var brief: String { "\(type) \(subject ?? "")" }
}

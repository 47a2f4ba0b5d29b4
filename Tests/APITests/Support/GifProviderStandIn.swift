import Crypto
import Foundation
import JSON
import Synchronization
import TestSupport

/// Speaks as a provider of GIFs does.
final class GifProviderStandIn: Sendable {
    /// What it answers.
    enum Mood: Sendable {
        case well
        /// So many entries, some of which cannot be shown.
        case entries([JSONValue])
        case raw([StandIn.Step])
    }

    static let key = "secret/key+1"

    let server: StandIn
    private let mood: MoodBox

    /// - Parameter total: how many GIFs it has for everything that is asked.
    init(total: Int = 60, tls: TLSContext? = nil) throws {
        let mood = MoodBox()
        server = try StandIn(tls: tls) { request in
            switch mood.value {
            case .raw(let steps): return steps
            case .entries(let entries): return Self.answer(entries)
            case .well: return Self.answer(Self.page(request.target, total: total))
            }
        }
        self.mood = mood
    }

    private final class MoodBox: Sendable {
        // Guards what the test changes while connections are served.
        private let mood = Mutex(Mood.well)
        var value: Mood { mood.withLock { $0 } }
        func set(_ value: Mood) { mood.withLock { $0 = value } }
    }

    func turn(_ mood: Mood) { self.mood.set(mood) }

    /// The targets that it was asked for, as path and query items.
    var questions: [(path: String, query: [String: String])] {
        server.requests.map { Self.parts($0.target) }
    }

    /// Environment of a server that asks it.
    var environment: [String: String] {
        ["PARLEY_GIPHY_KEY": Self.key, "PARLEY_GIF_URL": server.url("/v1/gifs/"), "PARLEY_LOOPS": "2"]
    }

    static func entry(_ name: String, small: JSONValue? = nil, large: JSONValue? = nil) -> JSONValue {
        var images = JSONObject()
        images.append(
            "fixed_width",
            small ?? [
                "url": .string("https://media.example.com/\(name)/200w.gif?cid=a&rid=b"), "width": "200",
                "height": "113",
            ])
        images.append(
            "downsized_large",
            large ?? ["url": .string("https://media.example.com/\(name)/giphy.gif"), "width": "480", "height": "270"])
        return ["id": .string(name), "type": "gif", "images": .object(images)]
    }

    static func answer(_ entries: [JSONValue]) -> [StandIn.Step] {
        let body: JSONValue = ["data": .array(entries), "meta": ["status": 200, "msg": "OK"]]
        return StandIn.answer(
            "200 OK", [("Content-Type", "application/json")], String(decoding: body.jsonBytes(), as: UTF8.self))
    }

    private static func page(_ target: String, total: Int) -> [JSONValue] {
        let query = parts(target).query
        let (offset, limit) = (Int(query["offset"] ?? "") ?? 0, Int(query["limit"] ?? "") ?? 0)
        let name = query["q"] ?? "trending"
        return (offset..<max(offset, min(total, offset + limit))).map { entry("\(name.count)-\(name.prefix(3))-\($0)") }
    }

    private static func parts(_ target: String) -> (path: String, query: [String: String]) {
        let halves = target.split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        for pair in halves.dropFirst().first?.split(separator: "&") ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[String(parts[0])] = parts.count == 2 ? String(parts[1]).removingPercentEncoding : nil
        }
        return (String(halves[0]), query)
    }
}

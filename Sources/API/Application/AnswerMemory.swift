import Bytes
import Domain
import HTTP1
import Live
import SQLite
import Server

/// Answers of one loop to reads that were asked lately: as long as nothing in the database changed, whoever asks the same
/// gets the same. Not Sendable: belongs to the loop's thread.
struct AnswerMemory {
    /// What depends on the clock, such as keys that end, may be so much out of date, milliseconds.
    static let lifetime: Int64 = 1000
    /// Answers kept at most; past that all are forgotten.
    static let capacity = 1024
    /// Bytes of all of them, as far as they are not shared.
    static let byteLimit = 16 << 20

    private struct Kept {
        let answer: any Repeatable
        let mark: ChangeMark
        let time: Int64
        /// From the second time on.
        var form: AnswerForm?
    }

    private let hub: Hub
    private var kept: [AnswerKey: Kept] = [:]
    private var bytes = 0

    init(hub: Hub) { self.hub = hub }

    /// The finished answer, but for what depends on who is where; nil when it is not known.
    /// - Parameters:
    ///   - mark: of this moment.
    ///   - finish: done once with what all answers of this kind share.
    mutating func find(
        _ key: AnswerKey, _ mark: ChangeMark, at now: Int64, acceptsGzip: Bool, finish: (inout Response) -> Void
    ) -> Response? {
        guard let index = kept.index(forKey: key), kept.values[index].mark == mark,
            // A clock that was set back makes answers of the future.
            (0..<Self.lifetime).contains(now - kept.values[index].time)
        else { return nil }
        let answer = kept.values[index].answer
        if acceptsGzip {
            var response = answer.again(at: now, hub).response(acceptsGzip: true)
            finish(&response)
            return response
        }
        if let form = kept.values[index].form, answer.fits(form, hub) { return form.filled(at: now, answer.newToken) }
        var form = answer.form(hub)
        finish(&form.response)
        kept.values[index].form = form
        bytes += form.bytes.count
        return form.filled(at: now, answer.newToken)
    }

    /// - Parameter mark: of a moment before the answer was read.
    mutating func keep(_ answer: any Repeatable, _ key: AnswerKey, _ mark: ChangeMark, at now: Int64) {
        guard answer.isRepeatable else { return }
        if let former = kept[key] {
            bytes -= Self.size(former)
        }
        let new = Kept(answer: answer, mark: mark, time: now)
        if kept.count >= Self.capacity || bytes + Self.size(new) > Self.byteLimit {
            kept = [:]
            bytes = 0
        }
        bytes += Self.size(new)
        kept[key] = new
    }

    private static func size(_ kept: Kept) -> Int { kept.answer.ownBytes + (kept.form?.bytes.count ?? 0) }
}

/// An answer that may be given again.
protocol Repeatable: Packable, Sendable {
    /// Nothing else happens when it is made.
    var isRepeatable: Bool { get }
    /// Memory that no other answer shares.
    var ownBytes: Int { get }

    /// The same at a later moment, milliseconds since 1970.
    func again(at now: Int64, _ hub: Hub) -> any Packable & Sendable
    /// The same as a form, not packed.
    func form(_ hub: Hub) -> AnswerForm
    /// Whether the form still says how many are there.
    func fits(_ form: AnswerForm, _ hub: Hub) -> Bool
    /// For somebody of whom nothing is known.
    func newToken() -> String
}

/// A finished answer with places that are filled in each time.
struct AnswerForm: Sendable {
    var response: Response
    let bytes: [UInt8]
    /// Milliseconds since 1970, thirteen digits until the year 2286.
    let moment: Range<Int>
    /// Token of a stranger; nil where the reader is known.
    let token: Range<Int>?
    let isCrowded: Bool

    func filled(at now: Int64, _ newToken: () -> String) -> Response {
        var bytes = bytes
        Self.put(String(now).utf8, into: moment, of: &bytes)
        if let token { Self.put(newToken().utf8, into: token, of: &bytes) }
        var response = response
        response.body = .bytes(bytes)
        return response
    }

    private static func put(_ text: String.UTF8View, into place: Range<Int>, of bytes: inout [UInt8]) {
        precondition(text.count == place.count, "what is filled in is as long as what stood there")
        var index = place.lowerBound
        for byte in text {
            bytes[index] = byte
            index += 1
        }
    }
}

/// All of a request that an answer may depend on: its target, its client, and its header fields but for those that are
/// known to make no difference.
struct AnswerKey: Hashable {
    private let bytes: [UInt8]

    /// - Parameter address: of the client.
    init(_ head: RequestHead, from address: ClientAddress) {
        var bytes = Array(head.target.utf8)
        bytes.append(address.isLoopback ? 1 : 0)
        // What sent it tells how a plus sign is meant (contract: public 1.2).
        head.headers.append(
            to: &bytes, except: head.rawQuery.utf8.contains(ASCII.plus) ? Self.irrelevant : Self.irrelevantWithAgent)
        self.bytes = bytes
    }

    private static let irrelevantWithAgent = irrelevant.union([Array("user-agent".utf8)])

    private static let irrelevant: Set<[UInt8]> = Set(
        [
            "accept", "accept-encoding", "cache-control", "connection", "dnt", "if-none-match", "keep-alive", "pragma",
            "priority", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-dest", "sec-fetch-mode",
            "sec-fetch-user", "sec-gpc", "te", "upgrade-insecure-requests",
        ].map { Array($0.utf8) })
}

import Bytes
import Domain
import HTTP1
import Live
import SQLite
import Server
import Storage

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
        var asOf: DatabaseMoment
        let time: Int64
        /// From the second time on.
        var form: AnswerForm?
    }

    private let hub: Hub
    private let changes: ChangeJournal
    private var kept: [AnswerKey: Kept] = [:]
    private var bytes = 0

    init(hub: Hub, changes: ChangeJournal) {
        self.hub = hub
        self.changes = changes
    }

    /// The finished answer, but for what depends on who is where; nil when it is not known.
    /// - Parameters:
    ///   - mark: of this moment.
    ///   - finish: done once with what all answers of this kind share.
    mutating func find(
        _ key: AnswerKey, _ mark: ChangeMark, at now: Int64, acceptsGzip: Bool, finish: (inout Response) -> Void
    ) -> Response? {
        guard let index = kept.index(forKey: key),
            // A clock that was set back makes answers of the future.
            (0..<Self.lifetime).contains(now - kept.values[index].time),
            Self.isStill(&kept.values[index], mark, changes)
        else { return nil }
        if acceptsGzip {
            var response = kept.values[index].answer.again(at: now, hub).response(acceptsGzip: true)
            finish(&response)
            return response
        }
        if let form = kept.values[index].form, form.isCrowded == (hub.count(in: form.room) >= Hub.crowd) {
            return form.filled(at: now)
        }
        var form = kept.values[index].answer.form(hub)
        finish(&form.response)
        kept.values[index].form = form
        bytes += form.byteCount
        return form.filled(at: now)
    }

    /// Whether nothing has changed that the answer shows.
    private static func isStill(_ kept: inout Kept, _ mark: ChangeMark, _ changes: ChangeJournal) -> Bool {
        if kept.asOf.mark == mark { return true }
        guard let then = kept.asOf.number, let subject = kept.answer.subject,
            let number = changes.moment(at: mark, unchangedSince: then, subject)
        else { return false }
        kept.asOf = DatabaseMoment(mark: mark, number: number)
        return true
    }

    /// - Parameter moment: before the answer was read.
    mutating func keep(_ answer: any Repeatable, _ key: AnswerKey, asOf moment: DatabaseMoment, at now: Int64) {
        guard answer.isRepeatable else { return }
        if let former = kept[key] {
            bytes -= Self.size(former)
        }
        let new = Kept(answer: answer, asOf: moment, time: now)
        if kept.count >= Self.capacity || bytes + Self.size(new) > Self.byteLimit {
            kept = [:]
            bytes = 0
        }
        bytes += Self.size(new)
        kept[key] = new
    }

    private static func size(_ kept: Kept) -> Int { kept.answer.ownBytes + (kept.form?.byteCount ?? 0) }
}

/// A moment of the database.
struct DatabaseMoment {
    let mark: ChangeMark
    /// Nil when it is not known what was committed before it.
    let number: ChangeJournal.Moment?
}

/// An answer that may be given again.
protocol Repeatable: Packable, Sendable {
    /// Nothing else happens when it is made.
    var isRepeatable: Bool { get }
    /// What it is about; nil when it depends on more.
    var subject: ChangeJournal.Subject? { get }
    /// Memory that no other answer shares.
    var ownBytes: Int { get }

    /// The same at a later moment, milliseconds since 1970.
    func again(at now: Int64, _ hub: Hub) -> any Packable & Sendable
    /// The same as a form, not packed.
    func form(_ hub: Hub) -> AnswerForm
}

/// A finished answer with places that are filled in each time.
struct AnswerForm: Sendable {
    /// Without its body.
    var response: Response
    /// The body before the first place.
    let start: [UInt8]
    /// The rest. It begins with the moment, milliseconds since 1970.
    let rest: [UInt8]
    /// Of the moment; they become one more in the year 2286.
    let digits: Int
    /// Makes the token of a stranger; nil where the reader is known, or where there is none.
    let strangers: StrangerTokens?
    /// Where in the rest that token stands.
    let token: Int
    let room: RoomKey
    let isCrowded: Bool

    var byteCount: Int { start.count + rest.count }

    func filled(at now: Int64) -> Response {
        var rest = rest
        var left = now
        for index in (0..<digits).reversed() {
            rest[index] = ASCII.zero + UInt8(left % 10)
            left /= 10
        }
        strangers?.put(into: &rest, at: token)
        var response = response
        response.body = .parts(start, rest)
        return response
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

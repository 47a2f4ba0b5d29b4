import Domain
import HTTP1
import Live
import SQLite

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
    }

    private var kept: [AnswerKey: Kept] = [:]
    private var bytes = 0

    /// - Parameter mark: of this moment.
    func find(_ key: AnswerKey, _ mark: ChangeMark, at now: Int64) -> (any Repeatable)? {
        guard let found = kept[key], found.mark == mark, now - found.time < Self.lifetime else { return nil }
        return found.answer
    }

    /// - Parameter mark: of a moment before the answer was read.
    mutating func keep(
        _ answer: any Repeatable, _ key: AnswerKey, _ mark: ChangeMark, at now: Int64
    ) {
        guard answer.isRepeatable else { return }
        bytes += answer.ownBytes + key.bytes.count
        if kept.count >= Self.capacity || bytes > Self.byteLimit {
            kept = [:]
            bytes = answer.ownBytes + key.bytes.count
        }
        kept[key] = Kept(answer: answer, mark: mark, time: now)
    }
}

/// An answer that may be given again.
protocol Repeatable: Packable, Sendable {
    /// Nothing else happens when it is made.
    var isRepeatable: Bool { get }
    /// Memory that no other answer shares.
    var ownBytes: Int { get }

    /// The same at a later moment, milliseconds since 1970.
    func again(at now: Int64, _ hub: Hub) -> any Packable & Sendable
}

/// All of a request that an answer may depend on: its target, and its header fields but for those that are known to make no
/// difference.
struct AnswerKey: Hashable {
    fileprivate let bytes: [UInt8]

    /// - Parameter address: of the client; those on this machine are treated otherwise.
    init(_ head: RequestHead, isLoopback: Bool) {
        var bytes = Array(head.target.utf8)
        bytes.append(isLoopback ? 1 : 0)
        head.headers.append(to: &bytes, except: Self.irrelevant)
        self.bytes = bytes
    }

    private static let irrelevant: Set<[UInt8]> = Set(
        [
            "accept", "accept-encoding", "cache-control", "connection", "dnt", "if-none-match", "keep-alive", "pragma",
            "priority", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-dest", "sec-fetch-mode",
            "sec-fetch-user", "sec-gpc", "te", "upgrade-insecure-requests",
        ].map { Array($0.utf8) })
}

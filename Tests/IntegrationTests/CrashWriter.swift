import JSON
import TestSupport
import Testing

/// Somebody who writes until the server is gone, and remembers what it acknowledged. At most one change is uncertain:
/// the last one, whose answer never came.
struct CrashWriter {
    /// What is known of one comment.
    struct Known: Sendable {
        /// What the text may be: more than one where the answer to an edit never came.
        var texts: Set<String>
        let parent: String?
        /// What its votes may be.
        var votes: Set<Int64> = [0]
        /// Whether it may be there, may be gone.
        var isGone: Set<Bool> = [false]
    }

    /// What was acknowledged, and what may be.
    struct Memory: Sendable {
        /// By id.
        var known: [String: Known] = [:]
        /// The text of a post whose answer never came.
        var uncertainPost: String?
    }

    private let reader: Reader
    private let name: String
    private var random: SeededGenerator
    private var vote: [String: String] = [:]
    private var number = 0
    private(set) var memory = Memory()

    init(_ reader: Reader, name: String, seed: UInt64) {
        self.reader = reader
        self.name = name
        random = SeededGenerator(seed)
    }

    /// One change.
    /// - Throws: when the server is gone.
    mutating func step() throws {
        let living = memory.known.filter { $0.value.isGone == [false] }.keys.sorted()
        guard let id = living.randomElement(using: &random) else { return try post(below: nil) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: try post(below: nil)
        case 3...4: try post(below: id)
        case 5...6: try edit(id)
        case 7...8: try turnVote(id)
        default: try delete(id)
        }
    }

    private mutating func text() -> String {
        number += 1
        return "\(name) \(number)"
    }

    private mutating func post(below parent: String?) throws {
        let text = text()
        memory.uncertainPost = text
        let id = try reader.posted(text, replyingTo: parent)
        memory.uncertainPost = nil
        memory.known[id] = Known(texts: [text], parent: parent)
    }

    private mutating func edit(_ id: String) throws {
        let text = text()
        memory.known[id]?.texts.insert(text)
        guard try reader.edit(id, text).isSuccess else { throw CrashFault("an edit was refused") }
        memory.known[id]?.texts = [text]
    }

    private mutating func turnVote(_ id: String) throws {
        let isTaken = vote[id] != nil
        memory.known[id]?.votes = [0, 1]
        if let old = vote[id] {
            guard try reader.unvote(id, vote: old).isSuccess else { throw CrashFault("a vote stayed") }
            vote[id] = nil
        } else {
            vote[id] = try reader.voted(id)
        }
        memory.known[id]?.votes = [isTaken ? 0 : 1]
    }

    private mutating func delete(_ id: String) throws {
        let doomed = memory.known.keys.filter { isBelow($0, id) }
        for other in doomed where memory.known[other]?.isGone == [false] {
            memory.known[other]?.isGone = [false, true]
        }
        guard try reader.delete(id).isSuccess else { throw CrashFault("a comment could not be deleted") }
        for other in doomed { memory.known[other]?.isGone = [true] }
    }

    private func isBelow(_ id: String, _ root: String) -> Bool {
        var current: String? = id
        while let place = current {
            if place == root { return true }
            current = memory.known[place]?.parent
        }
        return false
    }
}

/// What must not happen in a round.
struct CrashFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Random numbers that come again with the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

import JSON
import TestSupport
import Testing

/// Answers from the cache equal those that are made anew, whatever happened in between.
@Suite struct PageCacheTests {
    private static let people: [Person?] = [.author, .reader(1), .moderator, nil]

    /// The comments of a read without what changes by itself.
    private static func comments(_ reader: Reader, _ query: QueryItems) throws -> [JSONValue] {
        let answer = try reader.comments(query)
        return [answer["comments"] ?? .null, answer["hasMore"] ?? .null, answer["commentCount"] ?? .null]
    }

    private static let shapes: [QueryItems] = [
        ["direction": "OF"], ["direction": "NF"], ["direction": "MR"],
        ["direction": "OF", "asTree": "true", "countChildren": "true"],
        ["direction": "MR", "asTree": "true", "maxTreeDepth": "1", "limitChildren": "2", "countChildren": "true"],
    ]

    @Test(arguments: [1, 2] as [UInt64])
    func cachedAnswersEqualFreshOnes(_ seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let site = try Site(["pageSize": 200, "commentThreadDeleteMode": .integer(Int64(seed % 2))])
        var history = try History(site)
        for _ in 1...40 {
            try history.step(&dice)
            guard let known = history.ids.randomElement(using: &dice) else { continue }
            let shape = Self.shapes[Int.random(in: 0..<Self.shapes.count, using: &dice)]
            for reader in history.readers {
                // Twice: the first may fill the cache. Naming a comment goes past it.
                let kept = try [Self.comments(reader, shape), Self.comments(reader, shape)]
                let fresh = try Self.comments(reader, shape + ["fetchPageForCommentId": known])
                #expect(kept[0] == kept[1] && kept[1] == fresh, "\(history.log.suffix(5))")
            }
        }
    }

    @Test func aColdServerAnswersTheSame() throws {
        var dice = Dice(seed: 7)
        let server = try SeededServer.own()
        let site = try Site(on: server)
        var history = try History(site)
        for _ in 1...60 {
            try history.step(&dice)
            // What is kept now must not be answered later.
            _ = try history.readers.randomElement(using: &dice)?.comments(Self.shapes[0])
        }
        let warm = try history.readers.flatMap { reader in try Self.shapes.map { try Self.comments(reader, $0) } }
        try server.process.terminate()
        let cold = try ParleyProcess(.data(server.folder))
        let again = try Self.people.flatMap { person in
            let reader = try cold.reader(person, of: site.tenant, at: "page")
            return try Self.shapes.map { try Self.comments(reader, $0) }
        }
        #expect(again == warm)
        try cold.terminate()
    }

    /// Random writes to one page.
    private struct History {
        let site: Site
        let readers: [Reader]
        var ids: [String] = []
        var log: [String] = []
        private var names = 0

        init(_ site: Site) throws {
            self.site = site
            readers = try PageCacheTests.people.map { try site.reader($0) }
        }

        mutating func step(_ dice: inout Dice) throws {
            let (author, moderator) = (readers[Int.random(in: 0...1, using: &dice)], readers[2])
            guard let id = ids.randomElement(using: &dice) else {
                ids.append(try author.posted("First"))
                return
            }
            let choice = Int.random(in: 0..<14, using: &dice)
            log.append("\(choice) \(id)")
            switch choice {
            case 0...2: ids.append(try author.posted("Root \(ids.count) \"\\ é"))
            case 3...4: _ = try author.post("Reply \(ids.count)", replyingTo: id)
            case 5: _ = try moderator.edit(id, "Edited \(log.count) **b** #tag")
            case 6: if try moderator.delete(id).isSuccess { ids.removeAll { $0 == id } }
            case 7...8: _ = try author.vote(id, up: Bool.random(using: &dice))
            case 9: try unvote(author, id)
            case 10: _ = try author.flag(id, Bool.random(using: &dice))
            case 11: _ = try author.block(id, Bool.random(using: &dice))
            case 12:
                _ = try moderator.mark(id, ["pin", "unpin", "lock", "unlock"].randomElement(using: &dice) ?? "pin")
            default: try rename()
            }
        }

        private func unvote(_ reader: Reader, _ id: String) throws {
            let comments = try reader.comments()["comments"]?.array ?? []
            guard let vote = comments.first(where: { $0["_id"]?.string == id })?["myVoteId"]?.string else { return }
            _ = try reader.unvote(id, vote: vote)
        }

        /// And back: comments change their look twice. What was signed before does not count any more.
        private mutating func rename() throws {
            names += 1
            let renamed = Person("author", username: "Name \(names)")
            _ = try site.reader(renamed).comments(["parentId": "x"])
            _ = try site.reader(PageCacheTests.people[0]).comments(["parentId": "x"])
        }
    }
}

/// A generator that a seed determines (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

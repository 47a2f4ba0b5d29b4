import Testing

@testable import Live

@Suite struct PresenceBookTests {
    private typealias Announcement = PresenceBook.Announcement

    /// A book that knows these and has said so at 250.
    private func book(_ identities: [String]) -> PresenceBook {
        var book = PresenceBook()
        for identity in identities { book.join(identity, at: 0) }
        _ = book.announce(at: 250)
        return book
    }

    @Test func `joins wait a quarter of a second and become one announcement`() {
        var book = PresenceBook()
        #expect(book.due == nil && book.isEmpty)
        book.join("b", at: 0)
        book.join("a", at: 200)
        book.join(nil, at: 249)
        #expect(book.due == 250)
        #expect(book.announce(at: 249) == nil)
        #expect(book.announce(at: 250) == Announcement(joined: ["a", "b"], left: [], count: 3))
        #expect(book.due == nil)
        #expect(book.announce(at: 9999) == nil)
    }

    @Test func `who leaves is gone after a second and not before`() {
        var book = book(["a", "b"])
        book.leave("a", at: 1000)
        #expect(!book.isOnline("a"))
        #expect(book.count == 1)
        #expect(book.announce(at: 1999) == nil)
        #expect(book.announce(at: 2000) == Announcement(joined: [], left: ["a"], count: 1))
    }

    @Test func `who is back within the second never left`() {
        var book = book(["a", "b"])
        book.leave("a", at: 1000)
        book.join("a", at: 1999)
        #expect(book.announce(at: 2000) == Announcement(joined: [], left: [], count: 2))
        #expect(book.announce(at: 2249) == nil)
        #expect(book.due == nil)
    }

    @Test func `who comes back later joins again`() {
        var book = book(["a"])
        book.leave("a", at: 1000)
        #expect(book.announce(at: 2000)?.left == ["a"])
        #expect(book.isEmpty)
        book.join("a", at: 4000)
        #expect(book.announce(at: 4250)?.joined == ["a"])
    }

    @Test func `two sockets of one identity are one person`() {
        var book = PresenceBook()
        book.join("a", at: 0)
        book.join("a", at: 10)
        #expect(book.announce(at: 250) == Announcement(joined: ["a"], left: [], count: 1))
        #expect(book.sockets(of: "a") == 2)
        book.leave("a", at: 300)
        #expect(book.isOnline("a"))
        #expect(book.announce(at: 1300)?.left == [])
        book.leave("a", at: 1400)
        #expect(book.announce(at: 2400)?.left == ["a"])
    }

    @Test func `who never was announced leaves silently`() {
        var book = PresenceBook()
        book.join("a", at: 0)
        book.leave("a", at: 100)
        #expect(book.announce(at: 250) == Announcement(joined: [], left: [], count: 0))
        #expect(book.due == 1100)
        #expect(book.announce(at: 1100) == Announcement(joined: [], left: [], count: 0))
        #expect(book.isEmpty && book.due == nil)
    }

    @Test func `sockets of whom nothing is known are counted and never named`() {
        var book = PresenceBook()
        book.join(nil, at: 0)
        book.join(nil, at: 0)
        #expect(book.announce(at: 250) == Announcement(joined: [], left: [], count: 2))
        book.leave(nil, at: 300)
        book.leave(nil, at: 300)
        #expect(book.announce(at: 1300) == Announcement(joined: [], left: [], count: 0))
        #expect(book.isEmpty)
    }

    @Test func `somebody unknown cannot leave`() {
        var book = PresenceBook()
        book.leave("a", at: 0)
        #expect(book.isEmpty && book.due == nil)
        #expect(!book.isOnline("a") && book.sockets(of: "a") == 0)
    }

    @Test(arguments: [(499, 499), (500, 0), (501, 0)])
    func `from 500 on only the count is told`(present: Int, named: Int) {
        var book = PresenceBook()
        for number in 0..<present { book.join("\(number)", at: 0) }
        let announcement = book.announce(at: 250)
        #expect(announcement?.joined.count == named)
        #expect(announcement?.count == present)
    }

    @Test func `strangers make a crowd too`() {
        var book = PresenceBook()
        for _ in 0..<499 { book.join(nil, at: 0) }
        book.join("a", at: 0)
        #expect(book.announce(at: 250) == Announcement(joined: [], left: [], count: 500))
    }

    @Test func `a crowd is told of at most every five seconds`() {
        var book = PresenceBook()
        for number in 0..<501 { book.join("\(number)", at: 0) }
        #expect(book.announce(at: 250)?.count == 501)
        book.join("late", at: 300)
        book.leave("1", at: 400)
        book.leave("2", at: 5000)
        var told: [Int64] = []
        for now in stride(from: Int64(300), through: 12_000, by: 50) where book.announce(at: now) != nil {
            told.append(now)
        }
        #expect(told == [5250, 10_250])
    }

    @Test func `the announcement that makes a crowd keeps the distance as well`() {
        var book = PresenceBook()
        for number in 0..<498 { book.join("\(number)", at: 0) }
        _ = book.announce(at: 250)
        book.join("498", at: 300)
        book.join("499", at: 310)
        #expect(book.announce(at: 550) == nil)
        #expect(book.due == 5250)
        #expect(book.announce(at: 5250)?.count == 500)
    }

    @Test func `when a crowd gets smaller everyone is told who came and went`() {
        var book = book((0..<499).map { "\($0)" })
        book.join("new", at: 300)
        book.leave("0", at: 310)
        book.join("other", at: 320)
        #expect(book.count == 500)
        #expect(book.announce(at: 5250) == Announcement(joined: [], left: [], count: 500))
        book.leave("1", at: 6000)
        let told = book.announce(at: 7000)
        #expect(told == Announcement(joined: ["new", "other"], left: ["0", "1"], count: 499))
        #expect(book.due == nil)
    }

    @Test func `who only passes through a crowd is forgotten`() {
        var book = PresenceBook()
        for _ in 0..<600 { book.join(nil, at: 0) }
        book.join("a", at: 0)
        _ = book.announce(at: 250)
        book.leave("a", at: 300)
        _ = book.announce(at: 5250)
        for _ in 0..<600 { book.leave(nil, at: 6000) }
        #expect(book.announce(at: 7000) == Announcement(joined: [], left: [], count: 0))
        #expect(book.isEmpty)
    }

    /// What a client would show that applies all announcements, on random comings and goings.
    @Test(arguments: 1...30)
    func `the announcements add up to who is there`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var book = PresenceBook()
        var sockets: [String?] = []
        var shown: Set<String> = []
        var now: Int64 = 0
        for _ in 0..<400 {
            now += Int64(random.below(300))
            if let told = book.announce(at: now) { try apply(told, to: &shown, sockets) }
            if sockets.isEmpty || !random.once(in: 2) {
                let identity = random.once(in: 4) ? nil : "\(random.below(8))"
                sockets.append(identity)
                book.join(identity, at: now)
            } else {
                book.leave(sockets.remove(at: random.below(sockets.count)), at: now)
            }
            try #require(book.count == Set(sockets.compactMap(\.self)).count + sockets.count { $0 == nil })
        }
        for _ in 0..<20 {
            guard let due = book.due else { break }
            if let told = book.announce(at: due) { try apply(told, to: &shown, sockets) }
        }
        #expect(book.due == nil)
        #expect(shown == Set(sockets.compactMap(\.self)))
    }

    private func apply(_ told: PresenceBook.Announcement, to shown: inout Set<String>, _ sockets: [String?]) throws {
        try #require(Set(told.joined).isDisjoint(with: told.left))
        try #require(Set(told.joined).count == told.joined.count && Set(told.left).count == told.left.count)
        try #require(shown.isDisjoint(with: told.joined) && shown.isSuperset(of: told.left))
        try #require(Set(sockets.compactMap(\.self)).isDisjoint(with: told.left))
        shown.subtract(told.left)
        shown.formUnion(told.joined)
    }
}

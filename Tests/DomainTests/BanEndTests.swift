import Domain
import Testing

/// How long bans last, and how far people are trusted (contract: admin 6.6, 6.7).
@Suite struct BanEndTests {
    @Test(
        arguments: [
            ("one-hour", 1), ("one-day", 24), ("one-week", 168), ("one-month", 720), ("six-months", 4368),
            ("one-year", 8760),
        ] as [(String, Int64)])
    func aWordIsALengthFromNow(_ word: String, _ hours: Int64) {
        #expect(BanEnd(word, now: 1000)?.until == 1000 + hours * 3_600_000)
    }

    @Test func nothingIsForEverAndADateMustBeToCome() {
        #expect(BanEnd(nil, now: 0)?.until == nil && BanEnd(nil, now: 0)?.duration == .forever)
        #expect(BanEnd("forever", now: 0) == BanEnd(nil, now: 0))
        #expect(BanEnd("1970-01-01T00:00:01.000Z", now: 999)?.until == 1000)
        #expect(BanEnd("1970-01-01T00:00:01.000Z", now: 1000) == nil)
        #expect(BanEnd("", now: 0) == nil && BanEnd("One-Day", now: 0) == nil)
    }

    @Test func trustGrowsWithTimeAndComments() {
        let half = TrustFactor.probation / 2
        #expect(TrustFactor.automatic(age: 0, approved: 0, pinned: 0) == 0)
        #expect(TrustFactor.automatic(age: half, approved: 1, pinned: 0) == 17)
        #expect(TrustFactor.automatic(age: 0, approved: 0, pinned: 20) == 100)
        #expect(TrustFactor.automatic(age: TrustFactor.probation, approved: 50, pinned: 0) == 50)
        #expect(TrustFactor.automatic(age: TrustFactor.probation + 1, approved: 50, pinned: 0) == 100)
        #expect(TrustFactor.automatic(age: TrustFactor.probation + 1, approved: 49, pinned: 0) == 50)
        #expect(TrustFactor.automatic(age: -5, approved: 0, pinned: 0) == 0)
    }
}

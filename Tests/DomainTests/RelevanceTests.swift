import Domain
import Testing

@Suite struct RelevanceTests {
    private func score(_ up: Int64, _ down: Int64, hours: Double = 0) -> Double {
        Relevance.score(votesUp: up, votesDown: down, createdAt: Int64(hours * 3_600_000) + 1_700_000_000_000)
    }

    @Test func `an upvote beats an age of 3.7 hours and no more`() {
        #expect(score(1, 0) > score(0, 0, hours: 3.7))
        #expect(score(1, 0) < score(0, 0, hours: 3.8))
    }

    @Test func `votes count by their difference`() {
        #expect(score(5, 2) == score(3, 0))
        #expect(score(0, 1) < score(0, 0))
        #expect(score(0, 9) < score(0, 1))
        #expect(abs(score(9, 0) - score(0, 0) - 1) < 1e-6)
        #expect(abs(score(0, 0) - score(0, 9) - 1) < 1e-6)
    }

    @Test func `a millisecond tells equal votes apart`() {
        #expect(
            Relevance.score(votesUp: 0, votesDown: 0, createdAt: 1_700_000_000_001)
                > Relevance.score(votesUp: 0, votesDown: 0, createdAt: 1_700_000_000_000))
        #expect(Relevance.score(votesUp: .max, votesDown: 0, createdAt: .max).isFinite)
    }

    @Test func `directions have their words`() {
        #expect(SortDirection(rawValue: "OF") == .oldestFirst)
        #expect(SortDirection(rawValue: "NF") == .newestFirst)
        #expect(SortDirection(rawValue: "MR") == .mostRelevant)
        #expect(SortDirection(rawValue: "of") == nil)
    }
}

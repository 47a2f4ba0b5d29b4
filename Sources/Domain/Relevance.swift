#if canImport(Glibc)
    import Glibc
#endif

/// The order "most relevant" (contract: public 5.2).
package enum Relevance {
    /// Votes count by their logarithm, age by 45,000 seconds for each power of ten. Higher stands first.
    package static func score(votesUp: Int64, votesDown: Int64, createdAt milliseconds: Int64) -> Double {
        let votes = Double(votesUp - votesDown)
        let sign: Double = votes > 0 ? 1 : votes < 0 ? -1 : 0
        return sign * log10(1 + abs(votes)) + Double(milliseconds) / 1000 / 45_000
    }
}

/// In which order a thread is read.
package enum SortDirection: String, Sendable, CaseIterable {
    case oldestFirst = "OF"
    case newestFirst = "NF"
    case mostRelevant = "MR"
}

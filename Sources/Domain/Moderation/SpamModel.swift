import Glibc

/// How many comments with a feature, or of all, were marked.
package struct SpamCount: Sendable, Equatable {
    package var spam: Double
    package var ham: Double

    /// As counted.
    package init(spam: Double, ham: Double) {
        self.spam = spam
        self.ham = ham
    }
}

/// Judges comments by those that were marked before: a naive Bayes filter that begins with what is known of spam anywhere
/// and listens to a tenant's moderators from their first mark on. P. Graham, "A Plan for Spam", 2002; of the features, only
/// those that say most count.
package struct SpamModel: Sendable {
    /// From here on a comment is spam, as the logarithm of the odds: high, because an honest comment that nobody sees is
    /// worse than spam that a moderator has to mark.
    package static let threshold = 6.0
    /// For comments of people with half of all trust or more.
    package static let trustedThreshold = 9.0

    /// As if the tenant's moderators had marked so many comments of either kind before.
    private static let seedWeight = 20.0
    /// A feature that was never seen is not impossible.
    private static let doubt = 0.25
    /// No feature says more than this alone.
    private static let limit = 2.5
    private static let strongest = 24
    /// Odds before anything is looked at: most comments are honest.
    private static let prior = -2.0

    /// Shares of comments with a feature.
    private let seed: [String: SpamCount]

    /// - Parameter lines: `feature TAB spam TAB ham`, in thousandths.
    package init(lines: [UInt8]) {
        var seed: [String: SpamCount] = [:]
        for line in lines.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: ";") {
            let parts = line.split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 3, let spam = Double(parts[1]), let ham = Double(parts[2]) else { continue }
            seed[parts[0]] = SpamCount(spam: spam / 1000, ham: ham / 1000)
        }
        self.seed = seed
    }

    /// What comes with the program; see the target `benchmarks` for where it is from.
    package static let shipped = SpamModel(lines: PackageResources.SpamSeed_txt)

    /// - Parameters:
    ///   - features: of the comment.
    ///   - counts: what the tenant's moderators marked, by feature.
    ///   - total: all that they marked.
    /// - Returns: the logarithm of the odds that it is spam.
    package func logOdds(_ features: [String], counts: [String: SpamCount] = [:], total: SpamCount) -> Double {
        var weights: [Double] = []
        for feature in features {
            let seeded = seed[feature]
            let counted = counts[feature]
            guard seeded != nil || counted != nil else { continue }
            let spam = share(counted?.spam, seeded?.spam, of: total.spam)
            let ham = share(counted?.ham, seeded?.ham, of: total.ham)
            weights.append(min(max(log(spam / ham), -Self.limit), Self.limit))
        }
        weights.sort { abs($0) > abs($1) }
        return weights.prefix(Self.strongest).reduce(Self.prior, +)
    }

    private func share(_ count: Double?, _ seed: Double?, of total: Double) -> Double {
        ((count ?? 0) + Self.seedWeight * (seed ?? 0) + Self.doubt) / (total + Self.seedWeight + 2 * Self.doubt)
    }
}

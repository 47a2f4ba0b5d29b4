/// How far what somebody wrote here speaks for them, 0 to 100 (contract: admin 6.7).
package enum TrustFactor {
    /// Six months in milliseconds.
    package static let probation: Int64 = 182 * 24 * 3_600_000
    /// Approved comments that end the probation together with its time.
    package static let provenComments: Int64 = 50

    /// - Parameters:
    ///   - age: milliseconds since the first comment.
    ///   - approved: comments that are.
    ///   - pinned: comments that are.
    package static func automatic(age: Int64, approved: Int64, pinned: Int64) -> Int {
        if age > probation, approved >= provenComments { return 100 }
        let sum = 100 * Double(max(0, age)) / Double(probation) + Double(approved) + 20 * Double(pinned)
        return Int(min(sum / 3, 100).rounded())
    }

    /// What a moderator may set.
    package static let range = 0...100
}

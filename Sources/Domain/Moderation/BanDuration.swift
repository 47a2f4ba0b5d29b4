import JSON

/// How long a ban lasts, in the words of clients (contract: admin 6.6).
package enum BanDuration: String, Sendable, CaseIterable {
    case forever
    case oneHour = "one-hour"
    case oneDay = "one-day"
    case oneWeek = "one-week"
    case oneMonth = "one-month"
    case sixMonths = "six-months"
    case oneYear = "one-year"

    /// nil is without end.
    package var milliseconds: Int64? {
        let hour: Int64 = 3_600_000
        return switch self {
        case .forever: nil
        case .oneHour: hour
        case .oneDay: 24 * hour
        case .oneWeek: 7 * 24 * hour
        case .oneMonth: 30 * 24 * hour
        case .sixMonths: 182 * 24 * hour
        case .oneYear: 365 * 24 * hour
        }
    }
}

/// The end of a ban.
package struct BanEnd: Sendable, Equatable {
    /// Milliseconds since 1970; nil is without end.
    package let until: Int64?
    /// The word that it was given by; nil for a date.
    package let duration: BanDuration?

    /// From a word, or from a date that is still to come; nothing is for ever. Nil for anything else.
    /// - Parameter now: milliseconds since 1970.
    package init?(_ text: String?, now: Int64) {
        guard let text else {
            duration = .forever
            until = nil
            return
        }
        if let word = BanDuration(rawValue: text) {
            duration = word
            until = word.milliseconds.map { now + $0 }
            return
        }
        guard let date = ISODate.parse(text), date > now else { return nil }
        duration = nil
        until = date
    }
}

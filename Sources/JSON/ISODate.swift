/// Moments as the contract writes them: UTC, `YYYY-MM-DDTHH:mm:ss.SSSZ` (RFC 3339).
package enum ISODate {
    /// The text for a moment in milliseconds since 1970.
    package static func format(milliseconds: Int64, wholeSeconds: Bool = false) -> String {
        var bytes: [UInt8] = []
        append(milliseconds: milliseconds, wholeSeconds: wholeSeconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(milliseconds: Int64, wholeSeconds: Bool, to bytes: inout [UInt8]) {
        // Years 0 to 9999: outside them there is no four-digit form.
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (days, rest) = floorDivide(clamped, 86_400_000)
        let (year, month, day) = civil(daysSince1970: days)
        append(year, digits: 4, to: &bytes)
        bytes.append(0x2D)
        append(month, digits: 2, to: &bytes)
        bytes.append(0x2D)
        append(day, digits: 2, to: &bytes)
        bytes.append(0x54)
        append(rest / 3_600_000, digits: 2, to: &bytes)
        bytes.append(0x3A)
        append(rest / 60_000 % 60, digits: 2, to: &bytes)
        bytes.append(0x3A)
        append(rest / 1000 % 60, digits: 2, to: &bytes)
        if !wholeSeconds {
            bytes.append(0x2E)
            append(rest % 1000, digits: 3, to: &bytes)
        }
        bytes.append(0x5A)
    }

    /// The moment in milliseconds since 1970 of a date (`2026-01-31`) or of a date and time with an offset
    /// (`2026-01-31T12:00:00.5+02:00`, `…Z`); nil for anything else. Digits after the third of a fraction are dropped.
    package static func parse(_ text: String) -> Int64? {
        var rest = text.utf8[...]
        guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
            let day = number(2, &rest), let days = days(year: year, month: month, day: day)
        else { return nil }
        if rest.isEmpty { return days * 86_400_000 }
        guard take("T", &rest) || take("t", &rest), let hour = number(2, &rest), hour < 24, take(":", &rest),
            let minute = number(2, &rest), minute < 60, take(":", &rest), let second = number(2, &rest), second < 60,
            let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty
        else { return nil }
        return days * 86_400_000 + (hour * 3600 + minute * 60 + second) * 1000 + fraction - offset
    }

    private static func number(_ digits: Int, _ rest: inout Substring.UTF8View) -> Int64? {
        let part = rest.prefix(digits)
        guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func take(_ letter: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Milliseconds.
    private static func fraction(_ rest: inout Substring.UTF8View) -> Int64? {
        guard take(".", &rest) else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let thousandths = Array(digits.prefix(3)) + [UInt8](repeating: 0x30, count: max(0, 3 - digits.count))
        return thousandths.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Milliseconds east of Greenwich.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
        if take("Z", &rest) || take("z", &rest) { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+", &rest) || take("-", &rest), let hours = number(2, &rest), hours < 24, take(":", &rest),
            let minutes = number(2, &rest), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * 60_000 * (isWest ? -1 : 1)
    }

    /// Days since 1970; nil when the calendar has no such day.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let (backYear, backMonth, backDay) = civil(daysSince1970: days)
        return backYear == year && backMonth == month && backDay == day ? days : nil
    }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// The Gregorian date of a day number; exact for all years (H. Hinnant, "chrono-compatible low-level date algorithms").
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = floorDivide(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }
}

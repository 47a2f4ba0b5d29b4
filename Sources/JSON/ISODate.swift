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

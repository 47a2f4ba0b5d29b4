import Bytes

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// 1 January 1970 was a Thursday.
    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// IMF-fixdate, for example `Sun, 06 Nov 1994 08:49:37 GMT`, of seconds since 1970. Times before the year 0 or
    /// after 9999 are moved to the nearest that the format can write.
    package static func format(_ unixSeconds: Int64) -> String {
        let seconds = min(max(unixSeconds, -62_167_219_200), 253_402_300_799)
        let days = Int(seconds.flooringDivision(by: 86_400))
        let second = Int(seconds) - days * 86_400
        let (year, month, day) = civil(days)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(contentsOf: dayNames[((days % 7) + 7) % 7].utf8)
        text.append(contentsOf: ", ".utf8)
        appendDigits(day, width: 2, to: &text)
        text.append(ASCII.space)
        text.append(contentsOf: monthNames[month - 1].utf8)
        text.append(ASCII.space)
        appendDigits(year, width: 4, to: &text)
        for (part, separator) in [
            (second / 3600, ASCII.space), (second / 60 % 60, ASCII.colon), (second % 60, ASCII.colon),
        ] {
            text.append(separator)
            appendDigits(part, width: 2, to: &text)
        }
        text.append(contentsOf: " GMT".utf8)
        return String(decoding: text, as: UTF8.self)
    }

    /// Year, month (1–12) and day (1–31) of days since 1970, in years that start on 1 March so that the leap day comes
    /// last, and in eras of 400 years, which all have 146,097 days.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = Int(Int64(shifted).flooringDivision(by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func appendDigits(_ value: Int, width: Int, to text: inout [UInt8]) {
        var divisor = width == 4 ? 1000 : 10
        while divisor > 0 {
            text.append(ASCII.zero + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}

extension Int64 {
    fileprivate func flooringDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

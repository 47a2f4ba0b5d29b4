import JSON
import TestSupport
import Testing

/// Lengths of names count code points: one letter may carry any number of marks (contract: public 22.1).
@Suite struct NameLengthTests {
    private static func marked(_ count: Int) -> String { "x" + String(repeating: "\u{301}", count: count - 1) }

    @Test func aGuestsNameHasAHundredCodePointsAtMost() throws {
        let site = try Site()
        let extras: (Int) -> JSONValue = { count in
            ["commenterName": .string(Self.marked(count)), "commenterEmail": "guest@example.com"]
        }
        try site.takes { try site.reader().post("A hundred", extras: extras(100)) }
        try site.refuses(422, "invalid-name") { try site.reader().post("One more", extras: extras(101)) }
    }

    @Test func aPersonsNameHasAThousandCodePointsAtMost() throws {
        let site = try Site()
        try site.takes { try site.reader(Person("a", username: Self.marked(1000))).comments() }
        try site.refuses(401, "malformed-sso") {
            try site.reader(Person("b", username: Self.marked(1001))).comments()
        }
    }
}

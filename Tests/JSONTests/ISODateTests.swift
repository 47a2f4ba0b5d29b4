import JSON
import Testing

@Suite struct ISODateTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1),
        ("1970-01-01T00:00:00.1Z", 100), ("1970-01-01T00:00:00.123456Z", 123), ("1969-12-31T23:59:59.999Z", -1),
        ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T22:30:00-01:30", 0), ("2000-02-29t00:00:00z", 951_782_400_000),
        ("2026-01-02T03:04:05.006Z", 1_767_323_045_006),
    ])
    func `a moment is read`(text: String, milliseconds: Int64) {
        #expect(ISODate.parse(text) == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-1-1", "2026-13-01", "2026-02-29", "2026-04-31", "2026-01-00", "1900-02-29", "2026-01-01T",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00+1",
        "2026-01-01T00:00:00+24:00", "yesterday", "١٩٧٠-01-01",
    ])
    func `anything else is no moment`(text: String) {
        #expect(ISODate.parse(text) == nil)
    }

    @Test func `what was written is read`() {
        for day in stride(from: Int64(-719_000), to: 2_900_000, by: 997) {
            let moment = day * 86_400_000 + (day & 0xFFFF) * 1009
            #expect(ISODate.parse(ISODate.format(milliseconds: moment)) == moment)
        }
    }
}

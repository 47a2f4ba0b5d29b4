import Foundation
import JSON
import TestSupport
import Testing

/// Where the machine stands leaves no trace in dates.
@Suite struct ClockZoneTests {
    @Test(arguments: ["Asia/Kathmandu", "America/St_Johns", "UTC"])
    func datesAreThoseOfUTC(_ zone: String) throws {
        let server = try ParleyProcess(environment: ["TZ": zone])
        let tenant = try server.makeTenant()
        let before = Date()
        let reader = try server.reader(.author, of: tenant, at: "page")
        let made = try reader.post("Hello", extras: ["date": .integer(SSO.now)])
        let text = try #require(made["comment", "date"]?.string)
        let date = try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        #expect(text.hasSuffix("Z") && abs(date.timeIntervalSince(before)) < 60)
        let client = try server.client()
        client.apiKey = tenant.apiKey
        // Just before midnight in UTC, which is the next day or still the same elsewhere.
        let moment: Int64 = 1_767_225_599_000
        let saved = try client.request(
            "POST", "/api/v1/comments", ["tenantId": tenant.id],
            body: [
                "comment": "Old", "commenterName": "Somebody", "url": "https://example.com/page", "urlId": "page",
                "locale": "en_us", "date": .integer(moment), "approved": true,
            ])
        #expect(saved["comment", "date"] == .integer(moment))
        let dates = try reader.comments()["comments"]?.array?.map { $0["date"]?.string }
        #expect(dates == [text, "2025-12-31T23:59:59.000Z"])
    }
}

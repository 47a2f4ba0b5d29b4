import JSON
import TestSupport
import Testing

/// Tags that a site's backend keeps (contract: admin 5.15).
@Suite struct BackendHashTagTests {
    @Test func tagsAreMadeChangedAndDeleted() throws {
        let site = try Site()
        let made = try site.does("POST", "hash-tags", [:], ["tag": "#Red", "url": "https://example.com/red"])["hashTag"]
        #expect(made?["tag"] == "#Red" && made?["url"] == "https://example.com/red")
        #expect(made?["tenantId"]?.string == site.tenant.id)
        try site.refuses(422, "already-exists", "POST", "hash-tags", [:], ["tag": "red"])
        try site.does("POST", "hash-tags", [:], ["tag": "blue"])
        let list = try site.does("GET", "hash-tags")["hashTags"]?.array
        #expect(list?.map { $0["tag"]?.string } == ["#Red", "#blue"])
        #expect(list?.last?["url"] == nil)
        let renamed = try site.does("PATCH", "hash-tags/%23red", [:], ["tag": "#rouge", "url": nil])["hashTag"]
        #expect(renamed?["tag"] == "#rouge" && renamed?["url"] == nil && renamed?["_id"] == made?["_id"])
        try site.refuses(422, "already-exists", "PATCH", "hash-tags/rouge", [:], ["tag": "BLUE"])
        try site.does("DELETE", "hash-tags/rouge", [:], ["tenantId": .string(site.tenant.id)])
        try site.refuses(404, "tag-does-not-exist", "DELETE", "hash-tags/rouge")
        try site.refuses(404, "tag-does-not-exist", "PATCH", "hash-tags/rouge", [:], ["tag": "x"])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let cases: [(String, JSONValue)] = [
            ("missing-hash-tag", [:]), ("missing-hash-tag", ["tag": ""]), ("invalid-tag", ["tag": "#"]),
            ("invalid-tag", ["tag": "a b"]), ("invalid-tag", ["tag": "a.b"]), ("invalid-input", ["tag": 5]),
            ("invalid-tag", ["tag": .string(String(repeating: "x", count: 101))]),
            ("url-too-long", ["tag": "x", "url": .string("https://e.com/" + String(repeating: "x", count: 2000))]),
            ("invalid-input", ["tag": "x", "url": "javascript:alert(1)"]),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "hash-tags", [:], body) }
        try site.does("POST", "hash-tags", [:], ["tag": .string(String(repeating: "x", count: 100))])
        try site.does("POST", "hash-tags", [:], ["tag": "grün_2-x"])
        try site.refuses(422, "invalid-input", "GET", "hash-tags", ["page": "-1"])
        #expect(try site.does("GET", "hash-tags", ["page": "1.0"])["hashTags"] == [])
    }

    @Test func aBulkTakesAHundredEachForItself() throws {
        let site = try Site()
        let tags = { (count: Int) in JSONValue.array((1...count).map { ["tag": .string("t\($0)")] }) }
        try site.refuses(422, "invalid-input", "POST", "hash-tags/bulk", [:], ["tags": tags(101)])
        try site.refuses(422, "invalid-input", "POST", "hash-tags/bulk", [:], ["tags": "x"])
        #expect(
            try site.does("POST", "hash-tags/bulk", [:], ["tags": tags(100)])["results"]?.array?.count == 100)
        let mixed = try site.does(
            "POST", "hash-tags/bulk", [:], ["tags": [["tag": "new"], ["tag": "NEW"], ["tag": "a b"], [:], "x"]])
        let codes = (mixed["results"]?.array ?? []).map { $0["code"]?.string }
        #expect(codes == [nil, "already-exists", "invalid-tag", "missing-hash-tag", "invalid-input"])
        #expect(try site.does("GET", "hash-tags", ["page": "1"])["hashTags"]?.array?.count == 1)
    }
}

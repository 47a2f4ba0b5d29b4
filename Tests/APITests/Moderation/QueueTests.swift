import JSON
import TestSupport
import Testing

/// Lists, counts and ids of the queue agree with each other and with what is stored (contract: admin 6.1).
@Suite struct QueueTests {
    /// What narrows a filter besides states, and what of the comments it lets through.
    private static func narrowings(_ tenant: String) -> [(query: QueryItems, fits: (QueueFixture.Row) -> Bool)] {
        func search(_ text: String) -> QueryItems { ["text-search": text] }
        func narrowed(_ json: String) -> QueryItems { ["searchFilters": json] }
        return [
            ([:], { _ in true }),
            (narrowed(#"{"userId":"\#(tenant):ann"}"#), { $0.author == "\(tenant):ann" }),
            (narrowed(#"{"userId":"bob"}"#), { $0.author == "\(tenant):bob" }),
            (narrowed(#"{"urlId":"page-1"}"#), { $0.urlID == "page-1" }),
            (narrowed(#"{"domain":"HOST0.test"}"#), { $0.domain == "host0.test" }),
            (
                narrowed(#"{"urlId":"page-1","userId":"ann","domain":"host1.test"}"#),
                { $0.urlID == "page-1" && $0.author == "\(tenant):ann" && $0.domain == "host1.test" }
            ),
            (search("site:host1.test"), { $0.domain == "host1.test" }),
            (search("page:\"über page 1\""), { $0.title == "Über Page 1" }),
            (search("page:https://host0.test/2"), { $0.urlID == "page-2" }),
            (search("user:\"TESTER A\""), { $0.author == "\(tenant):ann" }),
            (search("alpha"), { row in row.words.contains { $0.hasPrefix("alpha") } }),
            (
                search("gamma beta"),
                { row in row.words.contains { $0 == "gamma" } && row.words.contains { $0 == "beta" } }
            ),
            (search("\"ALPHA beta\""), { $0.source.lowercased().contains("alpha beta") }),
            (search("exact=\"beta\""), { $0.source == "beta" }),
            (search("exact=\"**bold** gamma\""), { $0.source == "**bold** gamma" }),
            (search("**"), { $0.source.contains("**") }),
            (search("nowhere"), { _ in false }),
        ]
    }

    private func agree(
        _ fixture: QueueFixture, _ reader: Reader, _ filters: [String], _ query: QueryItems,
        _ fits: (QueueFixture.Row) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = fixture.rows.filter { $0.fits(filters) && fits($0) }.map(\.id)
        let said = "\(filters) \(query.text)"
        let word: QueryItems = ["filters": filters.isEmpty ? nil : filters.joined(separator: ",")]
        let list = try reader.moderation(
            "GET", "api/comments", word + query + ["count": "200"], sourceLocation: sourceLocation)
        let listed = list["comments"]?.array?.compactMap { $0["_id"]?.string }
        #expect(listed == Array(expected.prefix(200)), "\(said) \(list.status)", sourceLocation: sourceLocation)
        let oldest = try reader.moderation(
            "GET", "api/comments", word + query + ["count": "7", "page": "2", "sorts": "oldest"],
            sourceLocation: sourceLocation)
        #expect(
            oldest["comments"]?.array?.compactMap { $0["_id"]?.string }
                == Array(expected.reversed().dropFirst(7).prefix(7)), "\(said)", sourceLocation: sourceLocation)
        let singular: QueryItems = ["filter": filters.isEmpty ? nil : filters.joined(separator: ",")]
        let count = try reader.moderation("GET", "count", singular + query, sourceLocation: sourceLocation)
        #expect(count["count"]?.integer == Int64(expected.count), "\(said)", sourceLocation: sourceLocation)
        let ids = try reader.moderation("GET", "api/ids", word + query, sourceLocation: sourceLocation)
        #expect(
            ids["ids"]?.array?.compactMap(\.string) == Array(expected.prefix(1000)), "\(said)",
            sourceLocation: sourceLocation)
        #expect(ids["hasMore"] == .bool(expected.count > 1000), sourceLocation: sourceLocation)
    }

    @Test func listsCountsAndIdsAgreeInEveryCombination() throws {
        let fixture = try QueueFixture(seed: 1)
        let tenant = fixture.site.tenant.id
        let admin = try fixture.site.reader(.admin)
        for (place, filters) in QueueFixture.everyFilter.enumerated() {
            // Of three states and more, each with some of the rest.
            for (other, (query, fits)) in Self.narrowings(tenant).enumerated()
            where filters.count < 3 || other % 4 == place % 4 {
                try agree(fixture, admin, filters, query, fits)
            }
        }
    }

    @Test func moderatorsOfGroupsSeeTheirCommentsAlone() throws {
        let fixture = try QueueFixture(seed: 2)
        let moderator = try fixture.site.reader(.moderator)
        func isTheirs(_ row: QueueFixture.Row) -> Bool { row.groups.contains { ["g1", "g3"].contains($0) } }
        for filters in QueueFixture.everyFilter {
            for (query, fits) in Self.narrowings(fixture.site.tenant.id).prefix(filters.count > 1 ? 2 : 20) {
                try agree(fixture, moderator, filters, query) { isTheirs($0) && fits($0) }
            }
        }
        for row in fixture.rows where !row.isDeleted {
            let answer = try moderator.moderation("GET", "comment/\(row.id)")
            #expect(answer.status == (isTheirs(row) ? 200 : 404))
        }
        let ids = JSONValue.array(fixture.rows.prefix(200).map { .string($0.id) })
        let byIDs = try moderator.moderation("POST", "comments-by-ids", body: ["ids": ids])
        #expect(
            byIDs["comments"]?.array?.compactMap { $0["_id"]?.string }
                == fixture.rows.prefix(200).filter(isTheirs).map(\.id))
        let summary = try moderator.moderation("GET", "search/comments/summary", ["value": "alpha"])
        let theirs = fixture.rows.filter { row in
            row.fits([]) && isTheirs(row) && row.words.contains { $0.hasPrefix("alpha") }
        }
        #expect(summary["commentCount"]?.integer == Int64(theirs.count))
    }

    @Test func authorsWhoHaveNoAccountAreFoundByTheirNames() throws {
        let site = try Site()
        let wanderer = try site.saved("One", ["commenterName": "Lone Wanderer"])
        let ranger = try site.saved("Two", ["commenterName": "Lone Ranger"])
        let posted = try site.reader().post(
            "Three", extras: ["commenterName": "Lone Guest", "commenterEmail": "guest@example.com"])
        let guest = try #require(posted["comment", "_id"]?.string, "\(posted.text)")
        _ = try site.saved("Four", ["commenterName": "Somebody"])
        #expect(try site.table("SELECT 1 FROM comment WHERE tenant_id = ?1 AND author_key IS NULL").count >= 3)
        let admin = try site.reader(.admin)
        let cases: [(search: String, found: Set<String>)] = [
            ("user:WANDERER", [wanderer]), ("user:lone", [wanderer, ranger, guest]), ("user:nobody", []),
            ("two user:lone", [ranger]), ("user:lone user:ranger", [ranger]),
        ]
        for (search, found) in cases {
            let list = try admin.moderation("GET", "api/comments", ["text-search": search, "count": "200"])
            #expect(Set(list["comments"]?.array?.compactMap { $0["_id"]?.string } ?? []) == found, "\(search)")
            let count = try admin.moderation("GET", "count", ["text-search": search])
            #expect(count["count"]?.integer == Int64(found.count), "\(search): \(count.text)")
        }
        let nobody = try admin.moderation(
            "GET", "api/comments", ["text-search": "user:lone", "searchFilters": #"{"userId":"nobody"}"#])
        #expect(nobody["comments"] == [])
    }

    @Test func theyAgreeWhereOneWayHasTooMany() throws {
        let fixture = try QueueFixture(seed: 3, comments: 60, copies: 5200)
        let admin = try fixture.site.reader(.admin)
        let filters = [
            [], ["spam"], ["approved", "not-spam"], ["needs-review", "flagged"], ["needs-approval", "locked"],
        ]
        for filter in filters {
            for (query, fits) in Self.narrowings(fixture.site.tenant.id) {
                try agree(fixture, admin, filter, query, fits)
            }
            try agree(fixture, admin, filter, ["text-search": "exact=\"alpha copies beta 1\""]) {
                $0.source == "alpha copies beta 1"
            }
            try agree(fixture, admin, filter, ["text-search": "\"copies beta 2\" user:ann"]) {
                $0.source == "alpha copies beta 2"
            }
        }
    }

    @Test func idsComeInChunksBehindAnother() throws {
        let fixture = try QueueFixture(seed: 4, comments: 30, copies: 2300)
        let admin = try fixture.site.reader(.admin)
        let expected = fixture.rows.filter { $0.fits([]) }.map(\.id)
        var ids: [String] = []
        var last: String?
        repeat {
            let answer = try admin.moderation("GET", "api/ids", ["afterId": last])
            let chunk = (answer["ids"]?.array ?? []).compactMap(\.string)
            #expect(chunk.count == min(1000, expected.count - ids.count))
            ids += chunk
            last = answer["hasMore"] == true ? chunk.last : nil
        } while last != nil
        #expect(ids == expected)
        // One that was removed meanwhile still says where to go on.
        let place = expected[500]
        #expect(try admin.moderation("POST", "remove-comment/\(place)").status < 500)
        let rest = try admin.moderation("GET", "api/ids", ["afterId": place])
        #expect(rest["ids"]?.array?.first?.string == expected[501])
        #expect(try admin.moderation("GET", "api/ids", ["afterId": "nobody"]).status == 404)
    }
}

import JSON
import TestSupport
import Testing

/// Counts over a site's rows (contract: admin 5.22).
@Suite struct BackendAggregateTests {
    private static func data(
        _ site: Site, of resource: String = "Comment", _ operations: JSONValue, _ more: JSONValue = [:]
    ) throws -> JSONValue? {
        try site.does("POST", "aggregate", [:], body(resource, operations, more))["data"]
    }

    private static func body(_ resource: String, _ operations: JSONValue, _ more: JSONValue = [:]) -> JSONValue {
        var object = JSONObject()
        object.append("resourceName", .string(resource))
        object.append("operations", operations)
        for (name, value) in more.object?.members ?? [] { object.append(name, value) }
        return .object(object)
    }

    /// Three comments, two on one page.
    private static func commented() throws -> Site {
        let site = try Site()
        _ = try site.saved("One", ["urlId": "a", "votesUp": 3, "rating": 4, "moderationGroupIds": ["x", "y"]])
        _ = try site.saved(
            "Two", ["urlId": "a", "votesUp": 1, "rating": 1.5, "reviewed": true, "moderationGroupIds": ["x"]])
        _ = try site.saved("Three", ["urlId": "b", "commenterName": "Other"])
        return site
    }

    @Test func everyOperationCounts() throws {
        let site = try Self.commented()
        let operations: JSONValue = [
            ["op": "count", "field": "id", "alias": "n"], ["op": "sum", "field": "votesUp"],
            ["op": "avg", "field": "rating"], ["op": "min", "field": "rating"], ["op": "max", "field": "urlId"],
            ["op": "countDistinct", "field": "commenterName"], ["op": "distinct", "field": "reviewed"],
            ["op": "distinct", "field": "moderationGroupIds", "expandArray": true, "alias": "groupIds"],
            ["op": "count", "field": "moderationGroupIds", "expandArray": true, "alias": "inGroups"],
        ]
        #expect(
            try Self.data(site, operations) == [
                [
                    "avg_rating": ["numericValue": 2.75], "countDistinct_commenterName": ["distinctCount": 2],
                    "distinct_reviewed": ["distinctCounts": ["false": 2, "true": 1]],
                    "groupIds": ["distinctCounts": ["x": 2, "y": 1]], "inGroups": ["numericValue": 3],
                    "max_urlId": ["stringValue": "b"], "min_rating": ["numericValue": 1.5],
                    "n": ["numericValue": 3], "sum_votesUp": ["numericValue": 4],
                ]
            ])
    }

    @Test func aParentCountsTheTenantsThatItMadeToo() throws {
        let site = try Self.commented()
        let child = try Self.commented()
        _ = try Self.commented()
        let count = Self.body("Comment", [["op": "count", "field": "id", "alias": "n"]])
        func counted() throws -> JSONValue? {
            try site.does("POST", "aggregate", ["parentTenantId": site.tenant.id], count)["data"]
        }
        #expect(try counted() == [["n": ["numericValue": 3]]])
        try site.execute("UPDATE tenant SET parent_id = '\(site.tenant.id)' WHERE id = '\(child.tenant.id)'")
        #expect(try counted() == [["n": ["numericValue": 6]]])
        #expect(try site.does("POST", "aggregate", [:], count)["data"] == [["n": ["numericValue": 3]]])
        try child.refuses(422, "invalid-input", "POST", "aggregate", ["parentTenantId": site.tenant.id], count)
    }

    @Test func whoWroteAndWhatWasSpamIsCounted() throws {
        let site = try Site()
        let author = try site.known(.author)
        let first = try author.posted("First")
        let second = try author.posted("Second")
        _ = try site.known(.reader(1)).posted("Other")
        let admin = try site.known(.admin)
        let trust: QueryItems = ["userId": site.wireID(.author), "trustFactor": "50"]
        try site.takes { try admin.moderating("PUT", "set-trust-factor", trust) }
        let progress = try Self.data(
            site, of: "UserBadgeProgress",
            [
                ["op": "count", "field": "id", "alias": "n"], ["op": "max", "field": "manualTrustFactor"],
                ["op": "count", "field": "tosAcceptedAt", "alias": "terms"],
            ])
        #expect(
            progress == [
                [
                    "max_manualTrustFactor": ["numericValue": 50], "n": ["numericValue": 2],
                    "terms": ["numericValue": 0],
                ]
            ])
        let firsts = try Self.data(
            site, of: "UserBadgeProgress", [["op": "min", "field": "firstCommentId", "alias": "id"]],
            ["query": [["key": "userId", "operator": "eq", "value": .string(site.wireID(.author))]]])
        #expect(firsts == [["id": ["stringValue": .string(first)]]])
        let events: JSONValue = [["op": "count", "field": "id", "alias": "n"]]
        #expect(try Self.data(site, of: "SpamEvent", events) == [["n": ["numericValue": 0]]])
        for isSpam in ["true", "false", "true"] {
            try site.takes {
                try admin.moderating("POST", "set-comment-spam-status/\(second)", ["spam": isSpam])
            }
        }
        try site.takes {
            try admin.moderating("POST", "set-comment-review-status/\(first)", ["reviewed": "true"])
        }
        let byKind = try Self.data(
            site, of: "SpamEvent", events, ["groupBy": ["isSpam"], "sort": ["field": "n", "dir": "desc"]])
        #expect(
            byKind == [
                ["n": ["numericValue": 2], "groups": ["isSpam": "true"]],
                ["n": ["numericValue": 1], "groups": ["isSpam": "false"]],
            ])
        let ofOne = try Self.data(
            site, of: "SpamEvent", events,
            [
                "query": [
                    ["key": "commentId", "operator": "eq", "value": .string(second)],
                    ["key": "byModerator", "operator": "eq", "value": true],
                    ["key": "type", "operator": "eq", "value": "SpamStatusChanged"],
                ]
            ])
        #expect(ofOne == [["n": ["numericValue": 3]]])
        let other = try Site()
        for resource in ["SpamEvent", "UserBadgeProgress"] {
            #expect(try Self.data(other, of: resource, events) == [["n": ["numericValue": 0]]])
        }
    }

    @Test func groupsAreCountedAndSorted() throws {
        let site = try Self.commented()
        let count: JSONValue = [["op": "count", "field": "id", "alias": "n"]]
        let byPage = try Self.data(site, count, ["groupBy": ["urlId"], "sort": ["field": "n", "dir": "desc"]])
        #expect(
            byPage == [
                ["n": ["numericValue": 2], "groups": ["urlId": "a"]],
                ["n": ["numericValue": 1], "groups": ["urlId": "b"]],
            ])
        let byTwo = try Self.data(
            site, count, ["groupBy": ["urlId", "reviewed"], "sort": ["field": "reviewed", "dir": "asc"]])
        #expect(byTwo?.array?.map { $0["groups", "reviewed"] } == ["false", "false", "true"])
        let distinct = try Self.data(
            site, [["op": "distinct", "field": "commenterName", "alias": "who"]],
            ["groupBy": ["urlId"], "sort": ["field": "urlId", "dir": "desc"]])
        #expect(distinct?[0, "who", "distinctCounts"] == ["Other": 1])
        #expect(distinct?[1, "who", "distinctCounts"] == ["Somebody": 2])
    }

    @Test func conditionsChoose() throws {
        let site = try Self.commented()
        let count = { (query: JSONValue) throws -> JSONValue? in
            try Self.data(site, [["op": "count", "field": "id", "alias": "n"]], ["query": query])?[
                0, "n", "numericValue"]
        }
        #expect(try count([["key": "urlId", "operator": "eq", "value": "a"]]) == 2)
        #expect(try count([["key": "reviewed", "operator": "not_eq", "value": true]]) == 2)
        #expect(try count([["key": "rating", "operator": "not_eq", "value": 4]]) == 2)
        #expect(try count([["key": "votesUp", "operator": "greater_than", "value": 1]]) == 1)
        #expect(try count([["key": "rating", "operator": "less_than", "value": "2"]]) == 1)
        #expect(try count([["key": "commenterName", "operator": "contains", "value": "SOME"]]) == 2)
        #expect(try count([["key": "moderationGroupIds", "operator": "contains", "value": "y"]]) == 1)
        #expect(try count([["key": "date", "operator": "greater_than", "value": "2020-01-01T00:00:00.000Z"]]) == 3)
        #expect(try count([["key": "commenterName", "operator": "eq", "value": "' OR 1=1 --"]]) == 0)
        #expect(
            try count([
                ["key": "urlId", "operator": "eq", "value": "a"], ["key": "votesUp", "operator": "eq", "value": 3],
            ]) == 1)
        let nothing = try Self.data(
            site,
            [
                ["op": "avg", "field": "rating"], ["op": "max", "field": "rating"],
                ["op": "distinct", "field": "urlId"],
            ],
            ["query": [["key": "urlId", "operator": "eq", "value": "none"]]])
        #expect(nothing == [["avg_rating": ["numericValue": 0], "distinct_urlId": ["distinctCounts": [:]]]])
    }

    @Test func everyResourceCountsItsOwnTenantOnly() throws {
        let site = try Self.commented()
        let resources = try #require(
            try site.refuses(422, "invalid-resource-name", "POST", "aggregate", [:], Self.body("None", []))[
                "validResourceNames"]?.array)
        #expect(resources.count >= 15)
        let other = try Site()
        for resource in resources {
            let name = try #require(resource.string)
            let data = try Self.data(other, of: name, [["op": "count", "field": "id", "alias": "n"]])
            #expect(data?[0, "n", "numericValue"] == 0, "\(name)")
        }
        let usage = try Self.data(
            site, of: "TenantDailyUsage", [["op": "sum", "field": "commentCreateCount", "alias": "n"]])
        #expect(usage?[0, "n", "numericValue"] == 3)
        #expect(try Self.data(site, of: "Page", [["op": "count", "field": "id"]])?[0, "count_id", "numericValue"] == 2)
    }

    @Test func whatWasScannedIsToldOnRequest() throws {
        let site = try Self.commented()
        let body = Self.body("Comment", [["op": "count", "field": "id"]])
        let answer = try site.does("POST", "aggregate", ["includeStats": "true"], body)
        #expect(answer["stats", "scanned"] == 3 && answer["stats", "timeMS"] != nil)
        #expect(try site.does("POST", "aggregate", [:], body)["stats"] == nil)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let count: JSONValue = [["op": "count", "field": "id"]]
        let many = { (number: Int) in JSONValue.array(Array(repeating: ["op": "count", "field": "id"], count: number)) }
        let refused: [JSONValue] = [
            Self.body("Comment", []), Self.body("Comment", "x"), Self.body("Comment", many(21)),
            Self.body("Comment", [["op": "median", "field": "id"]]),
            Self.body("Comment", [["op": "count", "field": "ipHash"]]),
            Self.body("Comment", [["op": "count"]]), Self.body("Comment", [["op": "sum", "field": "urlId"]]),
            Self.body("Comment", [["op": "count", "field": "id", "expandArray": true]]),
            Self.body("Comment", [["op": "count", "field": "id", "alias": "groups"]]),
            Self.body("Comment", count, ["groupBy": ["none"]]),
            Self.body("Comment", count, ["groupBy": ["feedbackIds"]]),
            Self.body("Comment", count, ["groupBy": ["id", "id"]]),
            Self.body("Comment", count, ["groupBy": ["id", "urlId", "userId", "locale", "domain", "url"]]),
            Self.body("Comment", count, ["sort": ["field": "none", "dir": "asc"]]),
            Self.body("Comment", count, ["sort": ["field": "count_id", "dir": "up"]]),
            Self.body("Comment", count, ["query": [["key": "id", "operator": "like", "value": "x"]]]),
            Self.body("Comment", count, ["query": [["key": "isSpam", "operator": "greater_than", "value": true]]]),
            Self.body("Comment", count, ["query": [["key": "date", "operator": "eq", "value": "x"]]]),
            Self.body("Comment", count, ["query": [["key": "id", "operator": "eq"]]]),
            Self.body("User", [["op": "count", "field": "email"]]),
        ]
        for body in refused { try site.refuses(422, "invalid-input", "POST", "aggregate", [:], body) }
        try site.does("POST", "aggregate", [:], Self.body("Comment", many(20)))
        try site.refuses(422, "empty-request", "POST", "aggregate", [:], [:])
        try site.refuses(
            422, "invalid-input", "POST", "aggregate", ["parentTenantId": "other"], Self.body("Comment", count))
        try site.refuses(422, "invalid-resource-name", "POST", "aggregate", [:], Self.body("api_key", count))
        let other = try Site()
        try site.refuses(401, "invalid-api-key") {
            try site.api("POST", "aggregate", [:], Self.body("Comment", count), key: other.tenant.apiKey)
        }
    }
}

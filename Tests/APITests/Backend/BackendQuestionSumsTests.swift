import JSON
import TestSupport
import Testing

/// Sums over answers (contract: admin 5.19).
@Suite struct BackendQuestionSumsTests {
    private static let path = "question-results-aggregation"

    /// A site with two questions, and answers 5, 5 and 2 to the first.
    private static func answered() throws -> (site: Site, first: String, second: String) {
        let site = try Site()
        let first = try BackendQuestionTests.question(site)
        let second = try BackendQuestionTests.question(site)
        for (page, value, date) in [
            ("a", 5, 1_704_067_200_000), ("a", 5, 1_706_745_600_000), ("b", 2, 1_735_689_600_000),
        ] {
            var values = JSONObject()
            values.append(first, .integer(Int64(value)))
            _ = try site.saved(
                "On \(date)",
                ["urlId": .string(page), "date": .integer(Int64(date)), "questionValues": .object(values)])
        }
        return (site, first, second)
    }

    @Test func answersAreSummed() throws {
        let (site, first, second) = try Self.answered()
        let sums = try #require(try site.does("GET", Self.path, ["questionId": first])["data"])
        #expect(sums["total"] == 3 && sums["average"] == 4 && sums["dataByDateBucket"] == nil)
        #expect(sums["countsByValue"] == ["2": 1, "5": 2])
        #expect(
            sums["dataByUrlId"] == ["a": ["v": ["5": 2], "total": 2], "b": ["v": ["2": 1], "total": 1]])
        let days: JSONValue = [
            "2024-01-01": ["v": ["5": 1], "total": 1], "2024-02-01": ["v": ["5": 1], "total": 1],
            "2025-01-01": ["v": ["2": 1], "total": 1],
        ]
        for bucket in ["day", "month"] {
            let answer = try site.does("GET", Self.path, ["questionId": first, "timeBucket": bucket])
            #expect(answer["data", "dataByDateBucket"] == days)
        }
        let years = try site.does("GET", Self.path, ["questionId": first, "timeBucket": "year"])
        #expect(years["data", "dataByDateBucket", "2024-01-01", "total"] == 2)
        let later = try site.does(
            "GET", Self.path, ["questionIds": "\(first),\(second)", "startDate": "2024-02-01T00:00:00.000Z"])["data"]
        #expect(later?["total"] == 2 && later?["average"] == 3.5)
        for (start, expected) in [("2024-02-01T00:00:00.000Z", 2), ("2024-02-01T00:00:00.001Z", 1)] as [(String, Int64)]
        {
            let query: QueryItems = ["questionId": first, "timeBucket": "day", "startDate": start]
            let days = try site.does("GET", Self.path, query)["data", "dataByDateBucket"]?.object
            #expect(days?.members.count == Int(expected), "a day counts from where it is asked for")
            let page = try site.does("GET", Self.path, query + ["urlId": "a"])["data", "dataByDateBucket"]?.object
            #expect(page?.members.count == Int(expected) - 1)
        }
        let page = try site.does("GET", Self.path, ["questionId": first, "urlId": "b", "timeBucket": "day"])["data"]
        #expect(page?["total"] == 1 && page?["dataByDateBucket"]?.object?.members.count == 1)
        let none = try site.does("GET", Self.path, ["questionId": second, "forceRecalculate": "true"])["data"]
        #expect(none?["total"] == 0 && none?["average"] == 0 && none?["countsByValue"] == [:])
        let spelled = try site.does("GET", "question-results-aggregate", ["questionId": first])
        #expect(spelled["data", "total"] == 3)
    }

    @Test func manySumsComeAtOnce() throws {
        let (site, first, second) = try Self.answered()
        let item = { (id: String, question: String) -> JSONValue in
            ["aggId": .string(id), "questionId": .string(question)]
        }
        let both = try site.does(
            "POST", Self.path + "/bulk", [:], ["aggregations": [item("x", first), item("y", second)]])["data"]
        #expect(both?["x", "total"] == 3 && both?["y", "total"] == 0)
        let many = { (count: Int) in JSONValue.array((1...count).map { item("\($0)", first) }) }
        #expect(
            try site.does("POST", Self.path + "/bulk", [:], ["aggregations": many(100)])["data"]?.object?.members.count
                == 100)
        let refused: [JSONValue] = [
            many(101), [item("x", first), item("x", first)], [["questionId": .string(first)]], [["aggId": "x"]], "x",
            [["aggId": "x", "questionId": .string(first), "timeBucket": "week"]],
            [["aggId": "x", "questionIds": .array((1...101).map { .string("\($0)") })]],
        ]
        for items in refused {
            try site.refuses(422, "invalid-input", "POST", Self.path + "/bulk", [:], ["aggregations": items])
        }
        try site.refuses(400, "malformed-json", "POST", Self.path + "/bulk", [:], "x")
    }

    @Test func answersComeWithTheirComments() throws {
        let (site, first, _) = try Self.answered()
        let path = Self.path + "/combine/comments"
        let values = { (query: QueryItems) throws -> [JSONValue?] in
            let results = try site.does("GET", path, ["questionId": first] + query)["data", "results"]?.array
            return (results ?? []).map { $0["result", "value"] }
        }
        #expect(try values([:]) == [2, 5, 5])
        #expect(try values(["minValue": "2.5"]) == [5, 5])
        #expect(try values(["minValue": "2", "maxValue": "2.0"]) == [2])
        #expect(try values(["limit": "1"]) == [2])
        #expect(try values(["urlId": "a", "startDate": "2024-01-02"]) == [5])
        #expect(try values(["limit": "200"]).count == 3)
        try site.refuses(422, "invalid-limit", "GET", path, ["questionId": first, "limit": "201"])
        try site.refuses(422, "invalid-input", "GET", path, ["questionId": first, "minValue": "x"])
        try site.refuses(422, "invalid-input", "GET", path)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        try site.refuses(422, "invalid-input", "GET", Self.path)
        try site.refuses(422, "invalid-input", "GET", Self.path, ["questionId": "x", "timeBucket": "week"])
        try site.refuses(422, "invalid-input", "GET", Self.path, ["questionId": "x", "startDate": "x"])
        try site.refuses(422, "invalid-input", "GET", Self.path, ["questionId": "x", "forceRecalculate": "x"])
        let other = try Site()
        let foreign = try BackendQuestionTests.question(other)
        #expect(try site.does("GET", Self.path, ["questionId": foreign])["data", "total"] == 0)
        for (method, path) in [("GET", ""), ("POST", "/bulk"), ("GET", "/combine/comments")] {
            try site.refuses(401, "invalid-api-key") {
                try site.api(method, Self.path + path, ["questionId": "x"], [:], key: other.tenant.apiKey)
            }
        }
    }
}

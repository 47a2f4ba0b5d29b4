import JSON
import TestSupport
import Testing

/// Questions and their answers (contract: admin 5.19).
@Suite struct BackendQuestionTests {
    static let stars: JSONValue = ["name": "Stars", "question": "How good?", "type": "star", "reportingOrder": 1]

    static func question(_ site: Site, _ body: JSONValue = stars) throws -> String {
        try #require(try site.does("POST", "question-configs", [:], body)["questionConfig", "_id"]?.string)
    }

    private static func answer(_ site: Site, _ body: JSONValue) throws -> JSONValue {
        try #require(try site.does("POST", "question-results", [:], body)["questionResult"])
    }

    private static func results(_ site: Site, _ query: QueryItems = [:]) throws -> [JSONValue?] {
        try #require(try site.does("GET", "question-results", query)["questionResults"]?.array).map { $0["value"] }
    }

    @Test func aQuestionIsMadeChangedAndDeleted() throws {
        let site = try Site()
        let body: JSONValue = [
            "name": "N", "question": "B?", "type": "slider", "reportingOrder": 2, "min": -5, "max": 5.5,
            "customOptions": [["name": "a", "imageSrc": ""]], "subQuestionIds": ["x"], "other": 1,
        ]
        let made = try #require(try site.does("POST", "question-configs", [:], body)["questionConfig"])
        #expect(made["max"] == 5.5 && made["helpText"] == "" && made["usedCount"] == 0)
        #expect(made["customOptions"] == [["imageSrc": "", "name": "a"]] && made["lastUsed"] == made["createdAt"])
        let id = try #require(made["_id"]?.string)
        _ = try Self.question(site, ["name": "N", "question": "A?", "type": "nps", "reportingOrder": 1])
        let list = try site.does("GET", "question-configs")["questionConfigs"]?.array
        #expect(list?.map { $0["question"] } == ["A?", "B?"])
        #expect(try site.does("GET", "question-configs", ["skip": "1"])["questionConfigs"] == [made])
        try site.does("PATCH", "question-configs/\(id)", [:], ["question": "C?"])
        let changed = try site.does("GET", "question-configs/\(id)")["questionConfig"]
        #expect(changed?["question"] == "C?" && changed?["min"] == -5)
        try site.does("DELETE", "question-configs/\(id)")
        for (method, body) in [("GET", nil), ("PATCH", ["name": "x"]), ("DELETE", nil)] as [(String, JSONValue?)] {
            try site.refuses(404, "not-found", method, "question-configs/\(id)", [:], body)
        }
        let other = try Site()
        let foreign = try Self.question(other)
        for (method, body) in [("GET", nil), ("PATCH", ["name": "x"]), ("DELETE", nil)] as [(String, JSONValue?)] {
            try site.refuses(404, "not-found", method, "question-configs/\(foreign)", [:], body)
        }
    }

    @Test func questionsThatDoNotFitAreRefused() throws {
        let site = try Site()
        let id = try Self.question(site)
        try site.refuses(422, "empty-request", "POST", "question-configs", [:], [:])
        try site.refuses(422, "empty-request", "PATCH", "question-configs/\(id)", [:], [:])
        for name in ["name", "question", "type", "reportingOrder"] {
            var body = JSONObject()
            for member in Self.stars.object?.members ?? [] where member.name != name {
                body.append(member.name, member.value)
            }
            try site.refuses(422, "invalid-input", "POST", "question-configs", [:], .object(body))
        }
        let changes: [JSONValue] = [
            ["type": "essay"], ["name": ""], ["name": nil], ["question": .string(String(repeating: "x", count: 1001))],
            ["numStars": 101], ["numStars": 1.5], ["min": "1"], ["min": 5, "max": 4], ["reportingOrder": 3e9],
            ["customOptions": [["name": "x"]]], ["customOptions": [["name": "x", "imageSrc": "javascript:x"]]],
            ["subQuestionIds": [1]], ["alwaysShowSubQuestions": "true"],
        ]
        for change in changes { try site.refuses(422, "invalid-input", "PATCH", "question-configs/\(id)", [:], change) }
        try site.does(
            "PATCH", "question-configs/\(id)", [:],
            ["question": .string(String(repeating: "x", count: 1000)), "numStars": 100])
    }

    @Test func answersAreKeptFoundAndChanged() throws {
        let site = try Site()
        let id = try Self.question(site)
        let other = try Self.question(site)
        _ = try site.saved("By somebody", ["anonUserId": "g"])
        let made = try Self.answer(
            site,
            [
                "urlId": "page", "value": 5, "questionId": .string(id), "anonUserId": "g",
                "meta": [["name": "m", "values": ["a"], "more": 1]],
            ])
        #expect(made["anonUserId"] == "anon:g" && made["userId"] == "" && made["commentId"] == .null)
        #expect(made["meta"] == [["name": "m", "values": ["a"]]])
        _ = try Self.answer(site, ["urlId": "two", "value": "3", "questionId": .string(other)])
        #expect(try Self.results(site) == [5, 3])
        #expect(try Self.results(site, ["urlId": "two"]) == [3])
        #expect(try Self.results(site, ["questionId": id]) == [5])
        #expect(try Self.results(site, ["questionIds": "\(id),\(other)"]) == [5, 3])
        #expect(try Self.results(site, ["skip": "1", "limit": "1"]) == [3])
        #expect(try Self.results(site, ["userId": "nobody"]) == [])
        #expect(try Self.results(site, ["startDate": "2020-01-01T00:00:00.000+00:00"]) == [5, 3])
        #expect(try Self.results(site, ["startDate": "99999999999999"]) == [])
        let result = try #require(made["_id"]?.string)
        try site.does("PATCH", "question-results/\(result)", [:], ["value": "1", "questionId": .string(other)])
        #expect(try site.does("GET", "question-results/\(result)")["questionResult", "value"] == 1)
        #expect(try site.does("GET", "question-configs/\(id)")["questionConfig", "usedCount"] == 0)
        #expect(try site.does("GET", "question-configs/\(other)")["questionConfig", "usedCount"] == 2)
        try site.does("DELETE", "question-results/\(result)")
        try site.refuses(404, "not-found", "DELETE", "question-results/\(result)")
        #expect(try site.does("GET", "question-configs/\(other)")["questionConfig", "usedCount"] == 1)
    }

    @Test func answersThatDoNotFitAreRefused() throws {
        let site = try Site()
        let id = try Self.question(site)
        let fit: JSONValue = ["urlId": "page", "value": 5, "questionId": .string(id)]
        let result = try #require(try Self.answer(site, fit)["_id"]?.string)
        let changes: [(String, JSONValue)] = [
            ("invalid-input", ["value": 6]), ("invalid-input", ["value": 0]), ("invalid-input", ["value": 1.5]),
            ("invalid-input", ["value": "x"]), ("invalid-input", ["value": 5_000_000_000]),
            ("invalid-input", ["value": nil]), ("invalid-input", ["questionId": "none"]),
            ("invalid-input", ["urlId": "null"]), ("invalid-input", ["commentId": "none"]),
            ("invalid-user", ["userId": "nobody"]), ("invalid-input", ["meta": [["name": "x"]]]),
            ("invalid-input", ["meta": "x"]), ("empty-request", [:]),
        ]
        for (code, change) in changes {
            try site.refuses(422, code, "PATCH", "question-results/\(result)", [:], change)
            let members = (fit.object?.members ?? []) + (change.object?.members ?? [])
            var body = JSONObject()
            for (name, value) in members where !members.isEmpty { body.append(name, value) }
            if code != "empty-request" { try site.refuses(422, code, "POST", "question-results", [:], .object(body)) }
        }
        try site.refuses(422, "invalid-input", "POST", "question-results", [:], ["urlId": "page", "value": 1])
        let foreign = try Site()
        try foreign.refuses(404, "not-found", "GET", "question-results/\(result)")
        try foreign.refuses(404, "not-found", "PATCH", "question-results/\(result)", [:], ["value": 1])
        try foreign.refuses(422, "invalid-input", "POST", "question-results", [:], fit)
        try site.refuses(422, "invalid-limit", "GET", "question-results", ["limit": "1001"])
        try site.refuses(422, "invalid-input", "GET", "question-results", ["startDate": "x"])
    }

    @Test func answersComeWithCommentsAndLoseThem() throws {
        let site = try Site()
        let id = try Self.question(site)
        let answer = try site.client().request(
            "POST", "/comments/\(site.tenant.id)",
            ["urlId": "page", "broadcastId": "b", "sso": site.token(.author)],
            body: [
                "comment": "Good", "commenterName": "A", "url": "https://example.com/page", "urlId": "page",
                "questionValues": .object(Self.values([(id, 4), ("other", 5), ("text", "x")])),
            ])
        let comment = try #require(answer["comment", "_id"]?.string, "\(answer.text)")
        let other = try site.saved("Bad", ["questionValues": .object(Self.values([(id, "1")]))])
        _ = try site.saved("Wrong", ["questionValues": .object(Self.values([(id, 6)]))])
        let results = try #require(try site.does("GET", "question-results")["questionResults"]?.array)
        #expect(results.map { $0["commentId"]?.string } == [comment, other])
        #expect(results[0]["userId"]?.string == site.wireID("author") && results[0]["value"] == 4)
        try site.does("DELETE", "comments/\(comment)")
        let left = try #require(try site.does("GET", "question-results")["questionResults"]?.array)
        #expect(left.map { $0["commentId"] } == [.null, .string(other)] && left[0]["value"] == 4)
        let combined = try site.does(
            "GET", "question-results-aggregation/combine/comments", ["questionId": id])["data", "results"]?.array
        #expect(combined?.map { $0["comment", "_id"]?.string } == [other, nil])
        #expect(combined?.last?["comment"] == .null && combined?.first?["comment", "comment"] == "Bad")
    }

    private static func values(_ members: [(String, JSONValue)]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in members { object.append(name, value) }
        return object
    }

    @Test func answersGoWithTheirQuestion() throws {
        let site = try Site()
        let id = try Self.question(site)
        for value in 1...3 {
            _ = try Self.answer(site, ["urlId": "page", "value": .integer(Int64(value)), "questionId": .string(id)])
        }
        try site.does("DELETE", "question-configs/\(id)")
        #expect(try Self.results(site) == [])
        try until { try site.number("SELECT COUNT(*) FROM question_result WHERE tenant_id = ?1") == 0 }
        try until { try site.number("SELECT COUNT(*) FROM question_sweep WHERE tenant_id = ?1") == 0 }
    }
}

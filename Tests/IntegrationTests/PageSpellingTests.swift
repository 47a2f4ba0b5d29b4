import JSON
import TestSupport
import Testing

/// What is one page and what are two, for writing, reading and counting alike.
@Suite struct PageSpellingTests {
    @Test(arguments: [
        [
            "https://example.com/medico-peste-ב-review/", "https://example.com/medico-peste-%D7%91-review/",
            "https://example.com/medico-peste-%d7%91-review/",
        ],
        ["https://example.com/july-2019/", "https://example.com/july-2019/?fbclid=IwAR1s&utm_source=x"],
        ["https://example.com/a?y=2&x=1", "https://example.com/a?x=1&y=2"],
    ])
    func everySpellingIsOnePage(_ spellings: [String]) throws {
        let scene = try Scene(page: spellings[0])
        for spelling in spellings { _ = try scene.reader(.author, at: spelling).posted("From \(spelling)") }
        for spelling in spellings {
            let answer = try scene.reader(.ann, at: spelling).comments()
            #expect(answer["commentCount"]?.integer == Int64(spellings.count), "\(spelling)")
            #expect(answer["comments"]?.array?.count == spellings.count, "\(spelling)")
        }
        #expect(try Self.pages(scene).map { $0["commentCount"]?.integer } == [Int64(spellings.count)])
    }

    private static func pages(_ scene: Scene) throws -> [JSONValue] {
        try #require(try backend(scene, "pages")["pages"]?.array)
    }

    private static func backend(_ scene: Scene, _ path: String) throws -> Answer {
        let client = try scene.server.client()
        client.apiKey = scene.tenant.apiKey
        return try client.request("GET", "/api/v1/\(path)", ["tenantId": scene.tenant.id])
    }

    @Test(arguments: [
        ("/posts/kubecon-2023/", "/posts/kubecon-2023-otel-sampling/"), ("/zh/a", "/a"), ("/post", "/post_2"),
        ("/a?id=1", "/a?id=2"), ("/A", "/a"),
    ])
    func aPageThatOnlyLooksAlikeIsAnother(_ one: String, _ other: String) throws {
        let scene = try Scene(page: one)
        _ = try scene.reader(.author).posted("Here")
        let answer = try scene.reader(.ann, at: other).comments()
        #expect(answer["commentCount"] == 0 && answer["comments"] == [])
    }

    @Test func manyFirstCommentsAtOnceMakeOnePageAndOnePersonEach() throws {
        let scene = try Scene()
        try Crowd.run(50) { thread in _ = try scene.reader(.reader(thread % 10)).posted("Comment \(thread)") }
        let answer = try scene.reader(.ann).comments()
        #expect(answer["commentCount"] == 50)
        #expect(try Self.pages(scene).count == 1)
        let people = try Self.backend(scene, "sso-users")["users"]?.array
        let ids = people?.compactMap { $0["id"]?.string }.filter { $0.contains("reader-") } ?? []
        #expect(ids.count == 10 && Set(ids).count == 10)
    }

    @Test func whoeverWroteNothingHasAnEmptyList() throws {
        let scene = try Scene()
        _ = try scene.reader(.author).posted("Mine")
        _ = try scene.reader(.ann).comments()
        for id in [scene.wireID(.ann), scene.wireID(Person("nobody"))] {
            let answer = try scene.reader(.ann).client.request("GET", "/comments-for-user", ["userId": id])
            #expect(answer.status == 200 && answer["comments"] == [], "\(id)")
        }
    }
}

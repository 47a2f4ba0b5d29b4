import JSON
import TestSupport
import Testing

/// What reactions to a page do to its live room (contract: live 2.3), and under a crowd.
@Suite struct PageReactLiveTests {
    let scene: Scene

    init() throws { scene = try Scene() }

    private func react(_ method: String, _ reader: Reader, _ id: String) throws -> Answer {
        try reader.client.request(
            method, "/page-reacts/v2/\(reader.tenant)", ["urlId": reader.page, "sso": reader.sso, "id": id])
    }

    @Test func everyChangeTellsTheNewTotalOnce() throws {
        let (ann, bob) = (try scene.reader(.ann), try scene.reader(.bob))
        let (live, token) = (try bob.listen(), try bob.comments()["userIdWS"]?.string)
        let elsewhere = try scene.reader(.carol, at: "elsewhere").listen()
        for (reader, id) in [(ann, "50% off"), (bob, "50% off"), (bob, "love"), (ann, "50% off")] {
            #expect(try react("POST", reader, id).isSuccess)
        }
        #expect(try react("DELETE", ann, "50% off").isSuccess)
        #expect(try react("DELETE", ann, "50% off").code == "no-react")
        #expect(try react("DELETE", bob, "50% off").isSuccess)
        let events = try live.settled()
        #expect(events.allSatisfy { $0.type == "page-react" && $0.broadcastID?.isEmpty == false && $0.stamp > 0 })
        #expect(
            events.map { $0["changes"] } == [
                ["50% off": 1], ["50% off": 2], ["love": 1], ["50% off": 1], ["50% off": 0],
            ])
        #expect(try bob.log(token: token).isEmpty)
        #expect(try elsewhere.settled().isEmpty)
    }

    @Test func likesHaveNoEvent() throws {
        let ann = try scene.reader(.ann)
        let live = try ann.listen()
        for method in ["POST", "DELETE"] {
            let answer = try ann.client.request(
                method, "/page-reacts/v1/likes/\(ann.tenant)", ["urlId": ann.page, "sso": ann.sso])
            #expect(answer.isSuccess)
        }
        #expect(try live.settled().isEmpty)
    }

    @Test func countsAreTrueUnderACrowd() throws {
        let scene = scene
        try Crowd.run(8) { index in
            let reader = try scene.reader(Person("p\(index % 4)"))
            for _ in 0..<10 {
                _ = try react("POST", reader, "love")
                _ = try react("DELETE", reader, "love")
                _ = try react("POST", reader, "love")
            }
        }
        let answer = try scene.reader(nil).client.request(
            "GET", "/page-reacts/v2/\(scene.tenant.id)", ["urlId": scene.page])
        #expect(answer["counts"] == ["love": 4])
        let names = try scene.reader(nil).client.request(
            "GET", "/page-reacts/v2/\(scene.tenant.id)/list", ["urlId": scene.page, "id": "love"])
        #expect(names["userNames"] == ["p0", "p1", "p2", "p3"])
    }
}

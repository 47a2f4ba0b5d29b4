import Bytes
import Domain
import Testing

@Suite struct LiveRoomNameTests {
    @Test func `the name is tenant and page, escaped once`() {
        #expect(LiveRoomName.encode(tenant: "demo", page: "https://h.com/") == "demo%3Ahttps%3A%2F%2Fh.com%2F")
    }

    @Test(arguments: [
        "demo:https://h.com/?a=1", "demo%3Ahttps%3A%2F%2Fh.com%2F%3Fa%3D1",
        "demo%253Ahttps%253A%252F%252Fh.com%252F%253Fa%253D1",
        "demo%25253Ahttps%25253A%25252F%25252Fh.com%25252F%25253Fa%25253D1", "https://h.com/?a=1",
        "https://h.com/?a=1&utm_id=2",
        "demo:https://h.com/?fbclid=3&a=1",
    ])
    func `every spelling that clients use leads to the page`(value: String) {
        #expect(LiveRoomName.resolve(value, tenant: "demo") == "https://h.com/?a=1")
    }

    @Test func `a fourth layer of escapes is not undone`() {
        let value = "demo%2525253Apage"
        #expect(LiveRoomName.resolve(value, tenant: "demo") == value)
    }

    @Test func `another tenant's prefix belongs to the page id`() {
        #expect(LiveRoomName.resolve("blog_ru:/post", tenant: "blog") == "blog_ru:/post")
        #expect(LiveRoomName.resolve("demo:page", tenant: "demo2") == "demo:page")
        #expect(LiveRoomName.resolve("demo2%3Apage", tenant: "demo") == "demo2%3Apage")
    }

    @Test(arguments: ["", " ", "null", "undefined", "demo:", "demo:null", "demo%3A", "demo%3A%20", "demo:undefined"])
    func `what names no page resolves to nothing`(value: String) {
        #expect(LiveRoomName.resolve(value, tenant: "demo") == nil)
    }

    @Test func `a plus stays a plus and bad escapes stay as they are`() {
        #expect(LiveRoomName.resolve("demo:a+b", tenant: "demo") == "a+b")
        #expect(LiveRoomName.resolve("demo:100%", tenant: "demo") == "100%")
        #expect(LiveRoomName.resolve("%FF", tenant: "demo") == "%FF")
        #expect(LiveRoomName.resolve("demo:\u{301}x", tenant: "demo") == "\u{301}x")
    }

    @Test(arguments: 1...5)
    func `any page comes back through up to three layers`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "https://", "demo", ":", "%", "%25", "%3A", "/", "?", "a", "é", "ב", "😀", "&b=", "\u{301}", " ", "+", "#",
        ]
        for _ in 0..<500 {
            let raw = (0..<(1 + random.below(8))).map { _ in random.pick(pieces) }.joined()
            guard let page = PageIdentity.canonical(raw) else { continue }
            var value = "demo:\(page)"
            for _ in 0..<4 {
                try #require(LiveRoomName.resolve(value, tenant: "demo") == page, "\(value)")
                value = PercentEncoding.encodeComponent(value)
            }
        }
    }
}

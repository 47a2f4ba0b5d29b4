import Domain
import Outbound
import Storage
import TestSupport
import Testing

@testable import API

/// What is kept of a provider's GIFs.
@Suite struct GifShelfTests {
    private func query(_ page: Int, _ search: String? = nil) -> GifQuery {
        GifQuery(search: search, rating: "pg", language: nil, page: page)
    }

    private func entry(_ name: String, large: String? = nil) -> GifEntry {
        GifEntry(
            small: Gif(source: "https://a/\(name)", width: 1, height: 1), large: large ?? "https://a/large/\(name)")
    }

    @Test func aListIsKeptForItsTime() {
        let shelf = GifShelf()
        #expect(shelf.find(query(0), at: 1000) == nil)
        shelf.keep([entry("x")], query(0), at: 1000)
        #expect(shelf.find(query(0), at: 1000 + GifShelf.lifetime - 1)?.map(\.source) == ["https://a/x"])
        #expect(shelf.find(query(0), at: 1000 + GifShelf.lifetime) == nil)
        #expect(shelf.find(query(1), at: 1000) == nil && shelf.find(query(0, "x"), at: 1000) == nil)
    }

    @Test func listsAreBounded() {
        let shelf = GifShelf(listLimit: 4)
        for page in 0..<4 { shelf.keep([entry("\(page)")], query(page), at: Int64(page)) }
        shelf.keep([entry("again")], query(3), at: 4)
        #expect((0..<4).filter { shelf.find(query($0), at: 10) != nil } == [0, 1, 2, 3])
        shelf.keep([entry("4")], query(4), at: 5)
        #expect((0..<5).filter { shelf.find(query($0), at: 10) != nil } == [2, 3, 4])
        #expect(shelf.large(of: "https://a/0") != nil, "readers may still look at the list")
    }

    @Test func whatIsTooOldGoesFirst() {
        let shelf = GifShelf(listLimit: 2)
        shelf.keep([entry("0")], query(0), at: 0)
        shelf.keep([entry("1")], query(1), at: GifShelf.lifetime - 1)
        shelf.keep([entry("2")], query(2), at: GifShelf.lifetime)
        #expect(
            shelf.find(query(1), at: GifShelf.lifetime) != nil && shelf.find(query(2), at: GifShelf.lifetime) != nil)
    }

    @Test func largePicturesAreBoundedAndTheOldestGoFirst() {
        let shelf = GifShelf(largeLimit: 3)
        shelf.keep((0..<3).map { entry("\($0)") }, query(0), at: 0)
        shelf.keep([entry("0", large: "https://a/new")], query(1), at: 0)
        #expect((0..<3).allSatisfy { shelf.large(of: "https://a/\($0)") != nil })
        #expect(shelf.large(of: "https://a/0") == "https://a/new")
        for name in 3..<7 { shelf.keep([entry("\(name)")], query(2), at: 0) }
        #expect((0..<7).filter { shelf.large(of: "https://a/\($0)") != nil } == [4, 5, 6])
    }

    @Test func whoWaitedAsLongAsACallMayTakeBeginsNone() throws {
        let provider = try GifProviderStandIn()
        let client = try OutboundClient(policy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        let lane = try OutboundLane(client, name: "test", threads: 1, queueLimit: 1)
        let library = GifLibrary(provider: GifProvider(address: provider.server.url("/v1/gifs"), key: "k"), lane: lane)
        defer { library.close() }
        let now = Clock.wallMilliseconds
        #expect(throws: APIError.self) { try library.gifs(query(0), askedAt: now - 6000, client) }
        #expect(provider.questions.isEmpty)
        #expect(try library.gifs(query(0), askedAt: now, client).count == 25)
        #expect(try library.gifs(query(0), askedAt: now - 6000, client).count == 25, "another call has brought it")
        #expect(provider.questions.count == 1)
    }
}

import Domain
import HTTP1
import Outbound
import Storage

/// The GIFs of a provider: asks for what is not kept. Usable on any thread.
package final class GifLibrary: Sendable {
    let shelf = GifShelf()
    let lane: OutboundLane
    private let provider: GifProvider

    /// Calls of one list at most.
    private static let limits: OutboundLimits = {
        var limits = OutboundLimits()
        limits.connectMilliseconds = 3000
        limits.totalMilliseconds = 6000
        return limits
    }()

    /// - Parameter lane: where calls to the provider run. It is closed with the library.
    package init(provider: GifProvider, lane: OutboundLane) {
        self.provider = provider
        self.lane = lane
    }

    /// Ends the calls that run. No later call succeeds.
    package func close() { lane.close() }

    /// A list from the provider, on a thread that may wait.
    /// - Parameter asked: when the reader asked, milliseconds since 1970.
    /// - Throws: `internal-error` (500).
    func gifs(_ query: GifQuery, askedAt asked: Int64, _ client: OutboundClient) throws(APIError) -> [Gif] {
        let now = Clock.wallMilliseconds
        // Another call may have brought it while this one waited for a thread.
        if let known = shelf.find(query, at: now) { return known }
        // A provider that is slow would otherwise keep each reader waiting longer than the one before.
        guard now - asked < Self.limits.totalMilliseconds else {
            throw .internal("The GIF provider kept too many calls waiting.")
        }
        let answer: OutboundResponse
        do {
            answer = try client.send(provider.request(query), limits: Self.limits)
        } catch {
            throw .internal("The GIF provider was not reached. \(error.reason)")
        }
        guard answer.status == 200 else { throw .internal("The GIF provider answered \(answer.status).") }
        guard let entries = GifProvider.entries(answer.body) else {
            throw .internal("The GIF provider's answer is not understood.")
        }
        let page = Array(entries.prefix(GifQuery.pageSize))
        shelf.keep(page, query, at: Clock.wallMilliseconds)
        return page.map(\.small)
    }
}

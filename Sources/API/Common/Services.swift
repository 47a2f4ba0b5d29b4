import Domain
import Live
import Outbound
import Storage
import Synchronization

/// What all requests share. Built once at start; usable on any thread.
package struct Services: Sendable {
    /// Rooms and presence.
    package let hub: Hub
    /// Makes and checks `userIdWS`.
    package let tokens: PresenceToken
    /// Whom it takes strangers for.
    package let strangers: AnonymousIdentity
    /// How addresses are kept.
    package let addresses: AddressHash
    /// Who may do how much.
    package let limits: RateLimits
    /// Who tries to sign in how often.
    let logins = LoginLimits()
    /// On which day keys were used last.
    package let keyUse = KeyUse()
    /// Makes and deletes tenants; nil switches that off.
    let operatorKey: String?
    /// Orders of threads that have not changed since.
    package let threads: ThreadCache
    /// Answers that have not changed since.
    package let pages: PageCache
    /// Feeds that have not changed since.
    let feeds = FeedCache()
    /// How many comments pages have that have not changed since.
    package let pageCounts = PageCounts()
    /// Lists of people that have not changed since.
    package let rosters = RosterCache()
    /// Who has seen what.
    package let views: ViewCounter
    /// Chats are paged from their newest end where neither page nor tenant says otherwise.
    package let pagesChatsFromTail: Bool
    /// Makes notices; told when there is one to make.
    package let notices: Background
    /// Does what changes still have to do; told when there is something.
    package let tasks: Background
    /// Whose word on a client's address is believed.
    package let proxies: TrustedProxies
    /// GIFs of a provider; nil without one.
    package let gifs: GifLibrary?
    /// Keys of test suites; empty switches their routes off.
    package let suiteKeys: [String]
    /// What operators may read of the server.
    package let metrics: Metrics
    /// Files that people upload.
    package let uploads: Uploads
    /// Files of comments for administrators.
    package let exports: Exports
    /// Where clients reach the server, without a slash at the end; nil when only their requests tell.
    package let publicURL: String?
    /// Where calls to sites' own servers may lead.
    let outboundPolicy: AddressPolicy

    /// Everything but what has a default is the caller's choice.
    package init(
        hub: Hub, tokens: PresenceToken, strangers: AnonymousIdentity, addresses: AddressHash,
        limits: RateLimits = RateLimits(), threads: ThreadCache = ThreadCache(), pages: PageCache = PageCache(),
        views: ViewCounter,
        notices: Background, tasks: Background, proxies: TrustedProxies, pagesChatsFromTail: Bool = false,
        suiteKeys: [String],
        gifs: GifLibrary? = nil, metrics: Metrics, uploads: Uploads, exports: Exports, publicURL: String? = nil,
        operatorKey: String? = nil,
        outboundPolicy: AddressPolicy = AddressPolicy()
    ) {
        self.operatorKey = operatorKey
        self.gifs = gifs
        self.metrics = metrics
        self.uploads = uploads
        self.exports = exports
        self.publicURL = publicURL
        self.outboundPolicy = outboundPolicy
        self.hub = hub
        self.tokens = tokens
        self.strangers = strangers
        self.addresses = addresses
        self.limits = limits
        self.threads = threads
        self.pages = pages
        self.notices = notices
        self.tasks = tasks
        self.proxies = proxies
        self.pagesChatsFromTail = pagesChatsFromTail
        self.views = views
        self.suiteKeys = suiteKeys
    }
}

/// The limits of contract public 22.3, in memory: a restart forgives.
package final class RateLimits: Sendable {
    private struct Windows {
        var comments = RateWindow(limit: 5, milliseconds: 60_000)
        var writes = RateWindow(limit: 120, milliseconds: 60_000)
        var reads = RateWindow(limit: 600, milliseconds: 60_000)
        var strangers = RateWindow(limit: 120, milliseconds: 60_000)
        var backends = RateBucket(capacity: RateLimits.backendBurst, perMinute: RateLimits.backendCalls)
        var wrongKeys = RateWindow(limit: RateLimits.wrongKeys, milliseconds: 60_000)
        var uploads = RateWindow(limit: RateLimits.anonymousUploads, milliseconds: 60_000)
        var pixels = RateWindow(limit: RateLimits.anonymousMegapixels, milliseconds: 60_000)
    }

    /// Uploads of one address that does not say who it is, in a minute.
    static let anonymousUploads = 20
    /// Megapixels of these uploads, each begun one counted.
    static let anonymousMegapixels = 250
    /// Uploads of one person, in a minute.
    static let personUploads = 60
    /// Wrong API keys of one address, in a minute.
    static let wrongKeys = 20
    /// Calls with one key, in a minute, …
    static let backendCalls = 600
    /// … and at once.
    static let backendBurst = 100

    // Guards the windows, which all loops and the writer change.
    private let windows = Mutex(Windows())

    /// Nothing was counted yet.
    package init() {}

    /// Counts a request of an address.
    /// - Throws: `rate-limited` (429).
    package func admit(_ client: ClientAddress, isWrite: Bool, at now: Int64) throws(APIError) {
        let address = client.key
        let wait = windows.withLock { windows -> Int64? in
            if isWrite {
                if let wait = windows.writes.wait(address, at: now) { return wait }
                windows.writes.note(address, at: now)
            } else {
                if let wait = windows.reads.wait(address, at: now) { return wait }
                windows.reads.note(address, at: now)
            }
            return nil
        }
        if let wait { throw .rateLimited("rate-limited", "Too many requests from your address.", wait) }
    }

    /// Checks that an address did not try the routes of backends and moderators too often without being one.
    /// - Throws: `rate-limited` (429).
    func checkStrangers(_ client: ClientAddress, at now: Int64) throws(APIError) {
        guard let wait = windows.withLock({ $0.strangers.wait(client.key, at: now) }) else { return }
        throw .rateLimited("rate-limited", "Too many requests from your address.", wait)
    }

    /// Counts such an attempt.
    func noteStranger(_ client: ClientAddress, at now: Int64) {
        windows.withLock { $0.strangers.note(client.key, at: now) }
    }

    /// Counts a call with an API key.
    /// - Throws: `rate-limited` (429).
    func admitBackend(_ tenant: String, at now: Int64) throws(APIError) {
        if let wait = windows.withLock({ $0.backends.take(tenant, at: now) }) {
            throw .rateLimited("rate-limited", "Too many calls with this key.", wait)
        }
    }

    /// Whether an address may try a key: it has to wait once it had too many wrong ones.
    /// - Throws: `rate-limited` (429).
    func checkKeys(of client: ClientAddress, at now: Int64) throws(APIError) {
        if let wait = windows.withLock({ $0.wrongKeys.wait(client.key, at: now) }) {
            throw .rateLimited("rate-limited", "Too many wrong keys from your address.", wait)
        }
    }

    /// Counts a wrong key.
    func noteWrongKey(of client: ClientAddress, at now: Int64) {
        windows.withLock { $0.wrongKeys.note(client.key, at: now) }
    }

    /// Checks that none of the keys has posted `limit` comments within a minute.
    /// - Throws: `user-rate-limited` (429).
    package func checkComments(_ keys: [String], limit: Int, at now: Int64) throws(APIError) {
        if let wait = wait(keys, limit, at: now) {
            throw .rateLimited("user-rate-limited", "Too many comments within a minute.", wait)
        }
    }

    /// Counts an upload of a person or an address.
    /// - Throws: `rate-limited` (429).
    func admitUpload(_ key: String, limit: Int, at now: Int64) throws(APIError) {
        let wait = windows.withLock { windows -> Int64? in
            if let wait = windows.uploads.wait(key, at: now, limit: limit) { return wait }
            windows.uploads.note(key, at: now)
            return nil
        }
        if let wait { throw .rateLimited("rate-limited", "Too many images within a minute.", wait) }
    }

    /// Counts the pixels of an upload of an address.
    /// - Throws: `rate-limited` (429).
    func admitPixels(_ pixels: Int, of client: ClientAddress, at now: Int64) throws(APIError) {
        let megapixels = (pixels + 999_999) / 1_000_000
        let wait = windows.withLock { windows -> Int64? in
            let limit = max(1, Self.anonymousMegapixels - megapixels + 1)
            if let wait = windows.pixels.wait(client.key, at: now, limit: limit) { return wait }
            for _ in 0..<megapixels { windows.pixels.note(client.key, at: now) }
            return nil
        }
        if let wait { throw .rateLimited("rate-limited", "Too many megapixels within a minute.", wait) }
    }

    /// Checks that none of the keys, which are no comments' keys, has made `limit` posts within a minute.
    /// - Throws: `rate-limited` (429; contract: live 5.6).
    func checkPosts(_ keys: [String], limit: Int, at now: Int64) throws(APIError) {
        if let wait = wait(keys, limit, at: now) {
            throw .rateLimited("rate-limited", "Too many posts within a minute.", wait)
        }
    }

    private func wait(_ keys: [String], _ limit: Int, at now: Int64) -> Int64? {
        windows.withLock { windows in keys.compactMap { windows.comments.wait($0, at: now, limit: limit) }.max() }
    }

    /// Counts a comment or a post.
    package func noteComment(_ keys: [String], at now: Int64) {
        windows.withLock { windows in
            for key in keys { windows.comments.note(key, at: now) }
        }
    }
}

extension APIError {
    fileprivate static func rateLimited(_ code: String, _ reason: String, _ wait: Int64) -> APIError {
        let seconds = Int((wait + 999) / 1000)
        var error = APIError(429, code, "\(reason) Try again in \(seconds) seconds.", phrase: .rateLimited)
        error.retryAfter = seconds
        return error
    }
}

/// Addresses of reverse proxies whose `X-Forwarded-For` is believed.
package struct TrustedProxies: Sendable {
    private let addresses: Set<String>

    /// - Parameter addresses: numeric addresses; `*` trusts every peer.
    package init(_ addresses: [String]) { self.addresses = Set(addresses) }

    /// Whether what this address says of its clients is believed.
    func trusts(_ address: String) -> Bool { addresses.contains(address) || addresses.contains("*") }

    /// The right-most address that is no trusted proxy; the peer itself when it is not trusted.
    package func clientAddress(peer: String, forwarded: [String]) -> ClientAddress {
        guard trusts(peer) else { return ClientAddress(peer) }
        let hops = forwarded.flatMap { $0.split(separator: ",") }.map { Self.bare(String($0).trimmed) }
        var client = peer
        for hop in hops.reversed().prefix(50) {
            guard ClientAddress.isNumeric(hop) else { break }
            client = hop
            if !addresses.contains(hop) { break }
        }
        return ClientAddress(client)
    }

    /// Without port and brackets.
    private static func bare(_ hop: String) -> String {
        if hop.hasPrefix("[") { return String(hop.dropFirst().prefix { $0 != "]" }) }
        return hop.count { $0 == ":" } == 1 ? String(hop.prefix { $0 != ":" }) : hop
    }
}

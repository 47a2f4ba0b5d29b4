import Bytes
import Domain
import HTTP1
import JSON
import Storage

/// GIFs to put into comments, from a provider (contract: public 17). Without one the lists are empty.
enum GifRoutes {
    static func register(on routes: inout Routes) {
        routes.remote(.get, "/gifs/trending/{tenantId}", "GetGifsTrending", getGifsTrending)
        routes.remote(.get, "/gifs/search/{tenantId}", "GetGifsSearch", getGifsSearch)
        routes.read(.get, "/gifs/get-large/{tenantId}", "GetGifLarge", getGifLarge)
    }

    static func getGifsTrending(_ visit: Visit, _ session: inout Session) throws(APIError) -> RemoteStep {
        list(try GifQuery(visit, search: nil), visit, at: session.now)
    }

    static func getGifsSearch(_ visit: Visit, _ session: inout Session) throws(APIError) -> RemoteStep {
        guard let text = visit.call.text("search")?.trimmed, !text.isEmpty else {
            throw .gifInput("The query parameter search is missing.")
        }
        return list(try GifQuery(visit, search: text), visit, at: session.now)
    }

    private static func list(_ query: GifQuery, _ visit: Visit, at now: Int64) -> RemoteStep {
        guard let library = visit.call.services.gifs, query.isWithinReach else { return .answer(answer([])) }
        if let gifs = library.shelf.find(query, at: now) { return .answer(answer(gifs)) }
        return .call(library.lane) { (client) throws(APIError) -> Reply in
            answer(try library.gifs(query, askedAt: now, client))
        }
    }

    private static func answer(_ gifs: [Gif]) -> Reply { .json(GifList(gifs: gifs)) }

    /// The large picture that belongs to a small one of the lists; nothing else is known here.
    static func getGifLarge(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        guard let address = visit.call.text("largeInternalURLSanitized") else {
            throw .gifInput("The query parameter largeInternalURLSanitized is missing.")
        }
        guard let large = visit.call.services.gifs?.shelf.large(of: address) else {
            throw APIError(404, "not-found", "This address is of no GIF from the lists.")
        }
        return .json(Answer { $0.member("src", large) })
    }
}

extension APIError {
    fileprivate static func gifInput(_ reason: String) -> APIError { APIError(422, "invalid-input", reason) }
}

/// `[src, width, height]` each.
private struct GifList: JSONWritable, Sendable {
    let gifs: [Gif]

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("images")
            json.beginArray()
            for gif in gifs {
                json.beginArray()
                json.string(gif.source)
                json.int(gif.width)
                json.int(gif.height)
                json.endArray()
            }
            json.endArray()
        }
    }
}

/// One page of a list of GIFs.
struct GifQuery: Hashable, Sendable {
    /// Clients take a page with so many for full, and ask for the next one.
    static let pageSize = 25
    /// As many are asked for beyond a page, so that it is full although some cannot be shown.
    static let spare = 5
    /// Providers list no further.
    private static let providerReach = 4999
    /// Providers take no longer text, characters.
    private static let textLimit = 50
    /// A character may be made of any number of marks.
    private static let byteLimit = 1000

    /// In lower case; nil for what is popular now.
    let search: String?
    /// `g`, `pg`, `pg-13` or `r`.
    let rating: String
    /// Such as `en` or `zh-TW`; nil when the client named none, and for what is popular, which is so in all languages.
    let language: String?
    let page: Int

    /// - Throws: `invalid-input` (422).
    init(_ visit: Visit, search: String?) throws(APIError) {
        self.search = search?.composed.lowercased().cut(to: Self.textLimit)
        let rating = visit.call.text("rating") ?? visit.settings.gifRating
        guard ["g", "pg", "pg-13", "r"].contains(rating) else {
            throw .gifInput("The query parameter rating must be g, pg, pg-13 or r.")
        }
        self.rating = rating
        language = search == nil ? nil : visit.call.text("locale").flatMap(Self.language)
        let page = try visit.call.integer("page", status: 422) ?? 0
        guard page >= 0 else { throw .gifInput("The query parameter page may not be negative.") }
        self.page = Int(page)
        guard (search?.utf8.count ?? 0) <= Self.byteLimit else {
            throw .gifInput("The query parameter search is too long.")
        }
    }

    /// `en_us` is `en`; Chinese differs by place.
    private static func language(_ locale: String) -> String? {
        let parts = locale.lowercased().split { $0 == "_" || $0 == "-" }
        guard let first = parts.first, first.utf8.count == 2,
            first.utf8.allSatisfy(ASCII.isLetter)
        else { return nil }
        if first == "zh", parts.count > 1, parts[1] == "tw" || parts[1] == "cn" { return "zh-" + parts[1].uppercased() }
        return String(first)
    }

    var offset: Int { page.multipliedReportingOverflow(by: Self.pageSize).partialValue }

    /// Whether a provider lists so far.
    var isWithinReach: Bool { page <= Self.providerReach && offset + Self.pageSize + Self.spare <= Self.providerReach }
}

extension GifQuery {
    /// From its parts, also for tests of what is kept.
    init(search: String?, rating: String, language: String?, page: Int) {
        self.search = search
        self.rating = rating
        self.language = language
        self.page = page
    }
}

import Compression
import Domain
import HTTP1
import JSON
import Live
import Server
import Storage
import Translations

/// The answer to a read of a page (contract: public 5.5).
struct CommentPage: Repeatable, JSONWritable {
    let query: ListQuery
    let caller: Caller
    let page: Page?
    let urlID: String
    let tokens: PresenceToken
    let user: UserSession
    private(set) var now: Int64
    /// Only where it was asked for, of somebody who has notices.
    let notificationCount: Int?
    /// People in the page's live room.
    var liveCount = 0
    var content = CommentContent.empty
    /// The language of the labels that come along; nil when none do.
    var labels: Language?

    var isRepeatable: Bool { !query.countsViews }

    var subject: ChangeJournal.Subject? {
        guard let page, notificationCount == nil else { return nil }
        return ChangeJournal.Subject(row: page.id, isKnown: caller.key != nil || user.sessionToken != nil)
    }

    var ownBytes: Int {
        switch content.comments {
        // What everybody is told is kept with the page.
        case .finished(let bytes, let shared): 2048 + (shared == nil ? bytes.count : 0)
        case .records(let comments, _): 2048 * (1 + comments.count)
        }
    }

    func again(at now: Int64, _ hub: Hub) -> any Packable & Sendable {
        var page = self
        page.now = now
        page.liveCount = hub.count(in: room)
        return page
    }

    func form(_ hub: Hub) -> AnswerForm {
        var page = self
        page.liveCount = hub.count(in: room)
        var json = JSONWriter(capacity: 2048 + ownBytes)
        let places = page.writeAll(to: &json)
        let (start, rest) = (json.bytes[..<places.moment.lowerBound], json.bytes[places.moment.lowerBound...])
        return AnswerForm(
            response: plain([]), start: Array(start), rest: Array(rest), digits: places.moment.count,
            strangers: places.token == nil ? nil : tokens.strangers(of: caller.tenant.id),
            token: (places.token?.lowerBound ?? 0) - start.count, room: room,
            isCrowded: page.liveCount >= Hub.crowd)
    }

    private var room: RoomKey { RoomKey(tenant: caller.tenant.id, page: urlID) }

    private func plain(_ json: [UInt8]) -> Response {
        Response(status: 200, headers: ["content-type": jsonType, "vary": "Accept-Encoding"], body: .bytes(json))
    }

    func write(to json: inout JSONWriter) { writeAll(to: &json) }

    /// The answer, packed where the client takes that and the comments are there in packed form. Tokens stay outside of
    /// what is compressed, so that its length tells nothing about them.
    package func response(acceptsGzip: Bool) -> Response {
        var json = JSONWriter(capacity: 2048)
        let place = writeAll(to: &json).comments
        var response = plain(json.bytes)
        guard acceptsGzip, let place, case .finished(let plain, let shared) = content.comments,
            let piece = shared?.piece(of: plain)
        else { return response }
        let (before, after) = (json.bytes[..<place.lowerBound], json.bytes[place.upperBound...])
        response.body = .bytes(Gzip.file(before: before, piece, after: after))
        response.headers.set("content-encoding", "gzip")
        return response
    }

    /// Where in the answer something stands.
    private struct Places {
        /// When they were finished before.
        var comments: Range<Int>?
        /// Thirteen digits.
        var moment = 0..<0
        /// Of a stranger.
        var token: Range<Int>?
    }

    @discardableResult
    private func writeAll(to json: inout JSONWriter) -> Places {
        var places = Places()
        json.object { json in
            json.success()
            places.comments = writeComments(to: &json)
            json.member("user", user)
            json.member("pageNumber", content.pageNumber)
            if content.includesPastPages { json.member("includesPastPages", true) }
            if query.countsAll != nil || !query.isFollowUp {
                json.member("commentCount", query.countsAll == true ? content.totals.all : content.totals.roots)
            }
            json.member("hasMore", content.hasMore)
            json.member("isSiteAdmin", caller.isStaff)
            json.member("isClosed", page?.isClosed ?? false)
            json.member("isWhiteLabeled", true)
            json.member("urlIdClean", urlID)
            json.member("lastGenDate", now)
            places.moment = json.bytes.count - String(now).utf8.count..<json.bytes.count
            json.member("notificationCount", ifPresent: notificationCount)
            if query.includesConfig || labels != nil { json.member("customConfig", customConfig) }
            places.token = LiveAddress(caller: caller, room: urlID, tokens: tokens).writeMembers(to: &json)
            // Clients ask for presence in a crowd, whose frames name nobody (contract: live 4.1).
            if caller.settings.disablesLive {
                json.member("presencePollState", 0)
            } else if liveCount >= Hub.crowd {
                json.member("presencePollState", 1)
            }
        }
        return places
    }

    private var customConfig: CustomConfig {
        CustomConfig(settings: caller.settings, hasSettings: query.includesConfig, language: labels)
    }

    private func writeComments(to json: inout JSONWriter) -> Range<Int>? {
        json.key("comments")
        switch content.comments {
        case .finished(let bytes, _): return json.raw(bytes)
        case .records(let comments, let entries):
            Self.write(comments, entries, isTree: query.shape.isTree, to: &json)
            return nil
        }
    }

    /// The array of comments as a text of its own, without marks.
    static func rendered(
        _ comments: [PublicComment], _ entries: [ThreadTree.Entry], isTree: Bool
    ) -> RenderedComments {
        var json = JSONWriter(capacity: 1024 + 640 * comments.count)
        let offsets = write(comments, entries, isTree: isTree, to: &json)
        return RenderedComments(json: json.bytes, comments: comments, offsets: offsets)
    }

    /// Writes nested comments without recursion, however deep they are.
    /// - Returns: where the marks of each comment begin.
    @discardableResult
    private static func write(
        _ comments: [PublicComment], _ entries: [ThreadTree.Entry], isTree: Bool, to json: inout JSONWriter
    ) -> [Int] {
        var offsets: [Int] = []
        json.beginArray()
        var open: [Bool] = []
        for (entry, comment) in zip(entries, comments) {
            close(&open, downTo: Int(entry.depth), in: &json)
            json.beginObject()
            comment.writeUnmarkedMembers(to: &json)
            // A comma comes before the marks.
            offsets.append(json.bytes.count + 1)
            comment.writeMarks(to: &json)
            let hasList = isTree && entry.isExpanded
            if hasList {
                json.key("children")
                json.beginArray()
            }
            open.append(hasList)
        }
        close(&open, downTo: 0, in: &json)
        json.endArray()
        return offsets
    }

    private static func close(_ open: inout [Bool], downTo depth: Int, in json: inout JSONWriter) {
        while open.count > depth {
            if open.removeLast() { json.endArray() }
            json.endObject()
        }
    }
}

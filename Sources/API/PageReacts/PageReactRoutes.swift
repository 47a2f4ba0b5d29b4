import Domain
import HTTP1
import JSON
import Live
import Storage

/// Likes of a page (version 1) and reactions to it (version 2). They do not count towards each other (contract:
/// public 15).
enum PageReactRoutes {
    static func register(on routes: inout Routes) {
        let likes = "/page-reacts/v1/likes/{tenantId}"
        routes.read(.get, likes, "GetV1PageLikes", getV1PageLikes)
        routes.write(.post, likes, "CreateV1PageReact", createV1PageReact)
        routes.write(.delete, likes, "DeleteV1PageReact", deleteV1PageReact)
        let reacts = "/page-reacts/v2/{tenantId}"
        routes.read(.get, reacts, "GetV2PageReacts", getV2PageReacts)
        routes.write(.post, reacts, "CreateV2PageReact", createV2PageReact)
        routes.write(.delete, reacts, "DeleteV2PageReact", deleteV2PageReact)
        routes.read(.get, reacts + "/list", "GetV2PageReactUsers", getV2PageReactUsers)
    }

    // MARK: Likes

    static func getV1PageLikes(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        let view = try PageReactView(urlID, visit, in: &session)
        let roomName = LiveRoomName.encode(tenant: visit.tenant.id, page: urlID)
        var (likes, didLike, comments) = (Int64(0), false, 0)
        if let page = view.page {
            likes = try PageReactSQL.count(.like, of: page, in: &session)
            didLike = try PageReactSQL.holds(.like, by: view.reactor.key, of: page, in: &session)
            comments = try visit.call.services.threads.index(
                of: page, viewer: view.caller.viewer, direction: visit.settings.defaultDirection, in: &session
            ).rootCount
        }
        return .json(
            Answer { [likes, didLike, comments] json in
                json.member("likeCount", likes)
                json.member("didLike", didLike)
                json.member("commentCount", comments)
                json.member("urlIdWS", roomName)
            })
    }

    static func createV1PageReact(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try add(.like, knownAs: "already-liked", visit, &session)
    }

    static func deleteV1PageReact(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try remove(.like, unknownAs: "not-liked", visit, &session)
    }

    // MARK: Reactions

    /// Both members are left out when they are empty.
    static func getV2PageReacts(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let view = try PageReactView(try visit.call.pageID(), visit, in: &session)
        guard let page = view.page else { return .success }
        let counts = try PageReactSQL.counts(of: page, in: &session)
        let own = try PageReactSQL.ids(by: view.reactor.key, of: page, in: &session)
        return .json(
            Answer { json in
                if !counts.isEmpty {
                    json.key("counts")
                    json.object { json in
                        for (id, count) in counts {
                            json.key(id)
                            json.int(count)
                        }
                    }
                }
                if !own.isEmpty { json.member("reactedIds", own) }
            })
    }

    static func createV2PageReact(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try add(try PageReact(visit.call), knownAs: "already-reacted", visit, &session)
    }

    static func deleteV2PageReact(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try remove(try PageReact(visit.call), unknownAs: "no-react", visit, &session)
    }

    /// Names of people, without strangers and private profiles.
    static func getV2PageReactUsers(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let react = try PageReact(visit.call)
        let view = try PageReactView(try visit.call.pageID(), visit, in: &session)
        var names: [String] = []
        if let page = view.page {
            names = try PageReactSQL.names(react, of: page, in: &session)
                .map { CommenterName.formatted($0, as: visit.settings.nameFormat) }
        }
        let sorted = names.map { (name: $0, key: AlphabeticalKey($0)) }.sorted { $0.key < $1.key }
        let first = sorted.prefix(PageReactSQL.namesLimit).map(\.name)
        return .json(Answer { $0.member("userNames", first) })
    }

    // MARK: Changes

    private static func add(
        _ react: PageReact, knownAs code: String, _ visit: Visit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        let caller = try Caller.resolve(visit, in: &session)
        let known = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try caller.requireWriting(known)
        let page = try PageSQL.findOrInsert(
            urlID, PageFacts(title: visit.call.text("title")), from: caller, in: &session)
        let reactor = PageReactor(visit, caller)
        let isNew = try PageReactSQL.insert(react, by: reactor, of: page, in: &session)
        if isNew { try announce(react, of: page, in: &session) }
        return .response(reactor.answer(code: isNew ? nil : code))
    }

    private static func remove(
        _ react: PageReact, unknownAs code: String, _ visit: Visit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        let caller = try Caller.resolve(visit, in: &session)
        let page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try caller.requireWriting(page)
        let reactor = PageReactor(visit, caller)
        guard let page, try PageReactSQL.delete(react, by: reactor.key, of: page, in: &session) else {
            return .json(Answer { $0.member("code", code) })
        }
        try announce(react, of: page, in: &session)
        return .success
    }

    /// Tells the page the new total (contract: live 2.3). Likes have no event.
    private static func announce(
        _ react: PageReact, of page: Page, in session: inout Session
    ) throws(APIError) {
        guard react.version == PageReact.reactions else { return }
        let total = try PageReactSQL.count(react, of: page, in: &session)
        let event = LiveEvent.make(.pageReact, broadcastID: nil, isLogged: false, at: session.now) { json in
            json.key("changes")
            json.object { json in
                json.key(react.id)
                json.int(total)
            }
        }
        try session.emit(event, to: page.room)
    }
}

/// What a reader's request is about.
private struct PageReactView {
    let caller: Caller
    let page: Page?
    let reactor: PageReactor

    /// - Throws: `unauthorized-page` (403).
    init(_ urlID: String, _ visit: Visit, in session: inout Session) throws(APIError) {
        caller = try Caller.resolve(visit, in: &session)
        page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try caller.requireReading(page)
        reactor = PageReactor(visit, caller)
    }
}

import Bytes
import Domain
import JSON
import Live
import Storage
import Translations

extension CommentRoutes {
    /// Adds a comment to a page and announces it (contract: public 6). The text is rendered on the loop; everything that
    /// another request could change is checked on the writer.
    static func createCommentPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let input = try NewComment(visit, in: &session)
        return { (session) throws(APIError) -> Reply in try create(input, &session) }
    }

    private static func create(_ input: NewComment, _ session: inout Session) throws(APIError) -> Reply {
        let caller = try Caller.resolve(input.visit, in: &session)
        let known = try PageSQL.find(input.urlID, tenant: input.visit.tenant.id, in: &session)
        try caller.requireWriting(known)
        return try BannedAct.comment.perform(by: caller, input.visit.call, email: input.email, in: &session) {
            (session) throws(APIError) -> Reply in try add(input, caller, to: known, &session)
        }
    }

    private static func add(
        _ input: NewComment, _ caller: Caller, to known: Page?, _ session: inout Session
    ) throws(APIError) -> Reply {
        let tenant = input.visit.tenant
        try requireOpen(known)
        let author = try CommentAuthor(input, caller, in: &session)
        let parent = try parent(of: input, caller, page: known, in: &session)
        if parent == nil { try input.requireAnswer(to: caller.settings.requiredQuestion) }
        try TermsSQL.accept(input.acceptsTerms, caller, in: &session)
        let verdict = try NewCommentDecision.decide(CommentMatter(input, author), in: &session)
        let input = input.judged(verdict)

        let page = try PageSQL.findOrInsert(
            input.urlID, input.facts, from: caller, touches: true, in: &session)
        let editKey = author.guest == nil ? nil : Identifier.secret()
        var row = CommentRow(input, author, parent: parent, page: page, editKey: editKey, at: session.now)
        row.apply(verdict)
        let id = try NewCommentSQL.insert(row, in: &session)
        try verdict.log(id, tenant: tenant.id, in: &session)
        let comment = try CommentSQL.require(id, tenant: tenant.id, in: &session)
        try session.emit(
            CommentEvents.make(
                .newComment, comment, page: page, tenant: tenant, broadcastID: input.broadcastID, in: &session),
            to: page.room)
        try ModeratorRoom.tell(of: [comment.id], tenant: tenant.id, in: &session)
        try CommentHooks.created(comment, tenant, in: &session)
        try Notices.commentBecameVisible(comment, input.visit.call.services, in: &session)
        CommentLimits.note(input, author, at: session.now)
        return .json(try created(comment, author, editKey: editKey, input, in: &session))
    }

    /// - Throws: `locked` (401) when the page is closed, for everybody.
    static func requireOpen(_ page: Page?) throws(APIError) {
        guard page?.isClosed != true else {
            throw APIError(401, "locked", "This thread is closed.", phrase: .threadClosed)
        }
    }

    private static func parent(
        of input: NewComment, _ caller: Caller, page: Page?, in session: inout Session
    ) throws(APIError) -> CommentRecord? {
        guard let id = input.parentID else {
            guard !caller.settings.disablesNewRoots || caller.isStaff else {
                throw APIError(403, "not-allowed", "Only replies are allowed here.", phrase: .notAllowed)
            }
            return nil
        }
        let parent = try CommentSQL.requireVisible(id, to: caller, in: &session)
        guard parent.pageID == page?.id else { throw .commentNotFound }
        guard try !CommentSQL.isLocked(parent, in: &session) else { throw .commentLocked }
        return parent
    }

    private static func created(
        _ comment: CommentRecord, _ author: CommentAuthor, editKey: String?, _ input: NewComment,
        in session: inout Session
    ) throws(APIError) -> CommentCreated {
        var answer = PublicComment(record: comment, settings: author.caller.settings)
        answer.editKey = editKey
        answer.requiresVerification = author.guest != nil
        answer.showsSpam = true
        let caller = author.caller
        let user = UserSession(
            caller: caller, hasBlockedUsers: try BlockSQL.hasBlocked(caller, in: &session),
            sessionToken: author.sessionToken, needsTerms: try TermsSQL.areNeeded(by: caller, in: &session))
        let token =
            author.beganSession
            ? input.visit.call.services.tokens.mint(tenant: caller.tenant.id, identity: author.key) : nil
        return CommentCreated(comment: answer, user: user, presenceToken: token)
    }
}

extension APIError {
    static let commentLocked = APIError(401, "locked", "Comment is locked.", phrase: .commentLocked)
}

/// The answer to a creation (contract: public 6.3).
private struct CommentCreated: JSONWritable, Sendable {
    let comment: PublicComment
    let user: UserSession
    /// Only when this call began a guest's session: signed-on people have theirs already.
    let presenceToken: String?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("comment", comment)
            json.member("user", user)
            json.member("userIdWS", ifPresent: presenceToken)
        }
    }
}

/// The request to create a comment (contract: public 6.1), decoded and rendered.
struct NewComment: Sendable {
    let visit: Visit
    let urlID: String
    let broadcastID: String
    private(set) var draft: CommentDraft
    let screening: Screening
    let parentID: String?
    /// The address that the comment itself keeps is among them.
    let facts: PageFacts
    let name: String?
    let email: String?
    let link: String?
    let clientDate: Int64?
    let localDateString: String?
    let localDateHours: Int64?
    let rating: Double?
    let feedbackIDs: String?
    let questionValues: String?
    /// Ids of questions that have an answer.
    let answered: Set<String>
    let acceptsTerms: Bool
    let meta: String?
    let moderationGroups: String?
    let locale: String?

    init(_ visit: Visit, in session: inout Session) throws(APIError) {
        let body = try visit.call.bodyObject()
        self.visit = visit
        urlID = try visit.call.pageID()
        broadcastID = try visit.call.broadcastID()
        let language = ReaderLanguage.of(visit.call, person: nil, settings: visit.settings).locale
        let moderation = visit.tenant.moderation
        name = try body.text("commenterName").map { text in
            Screening.name(CommenterName.cleaned(text), moderation, language)
        }
        email = try body.text("commenterEmail")?.trimmed
        link = try body.text("commenterLink").flatMap { WebAddress.isWeb($0) ? $0 : nil }
        let parent = try body.text("parentId")
        parentID = parent?.isEmpty == true ? nil : parent
        facts = PageFacts(url: try body.text("url"), title: try body.text("pageTitle"))
        clientDate = body["date"]?.integer
        localDateString = try body.text("localDateString")?.cut(to: 100)
        localDateHours = body["localDateHours"]?.integer
        rating = try body.number("rating")
        feedbackIDs = try Feedback.ids(body)
        questionValues = try Feedback.values(body)
        answered = Self.answered(body["questionValues"]?.object)
        acceptsTerms = try body.flag("tos") ?? false
        meta = Self.kept(body["meta"])
        moderationGroups = try body.texts("moderationGroupIds").map { JSONText.list(Array($0.prefix(100))) }
        locale = visit.call.text("locale")?.cut(to: 20)
        let namesSomebody = try body.text("comment")?.utf8.contains(ASCII.at) ?? false
        (draft, screening) = try CommentDraft.screened(
            body, tenant: visit.tenant, settings: visit.settings,
            naming: namesSomebody ? try MentionRights.of(visit, in: &session) : .unlimited, locale: language,
            in: &session)
    }

    /// As it is kept.
    func judged(_ verdict: CommentVerdict) -> NewComment {
        var judged = self
        judged.draft = screening.draft(draft, verdict)
        return judged
    }

    private static func answered(_ values: JSONObject?) -> Set<String> {
        Set(
            (values?.members ?? []).filter { $0.value.double != nil || $0.value.string?.trimmed.isEmpty == false }.map(
                \.name))
    }

    /// - Parameter question: id of the question that a new thread must answer, empty for any; nil for none.
    /// - Throws: `invalid-input` (400).
    func requireAnswer(to question: String?) throws(APIError) {
        guard let question else { return }
        guard question.isEmpty ? !answered.isEmpty : answered.contains(question) else {
            throw APIError(
                400, "invalid-input", "questionValues lacks the answer to the page's question.",
                phrase: .answerRequired)
        }
    }

    /// An object of at most 16 KiB, as text.
    static func kept(_ value: JSONValue?) -> String? {
        guard let value, value.object != nil, let text = JSONText.text(value), text.utf8.count <= 16_384 else {
            return nil
        }
        return text
    }
}

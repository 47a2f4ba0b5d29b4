import JSON

/// A mail that sites may put into their own words, as it is when they do not (contract: admin 5.18).
struct MailDefinition: JSONWritable, Sendable {
    let id: String
    let testData: JSONObject
    /// By locale.
    let translations: JSONObject
    let source: String

    /// - Parameters:
    ///   - testData: text of a JSON object, to which the links that all mails have are added.
    ///   - words: in English; `HEADING`, `OPEN` and `WHY` are always there.
    ///   - body: stands between the heading and the button.
    private init(_ id: String, testData: String, words: [(String, String)], body: String) {
        self.id = id
        var data = (try? JSONValue.parse(testData))?.object ?? JSONObject()
        data.append("link", .string("https://example.com/page#comment"))
        data.append("siteName", .string("Example"))
        data.append("unsubscribeLink", .string("https://example.com/unsubscribe"))
        self.testData = data
        var english = JSONObject()
        for (key, text) in words + [("UNSUBSCRIBE", "Stop these mails")] { english.append(key, .string(text)) }
        var locales = JSONObject()
        locales.append("en_us", .object(english))
        translations = locales
        source = """
            <!DOCTYPE html>
            <html>
            <body style="font-family: sans-serif; max-width: 40em; margin: auto">
            <h1><%= t('HEADING') %></h1>
            \(body)
            <p><a href="<%= link %>"><%= t('OPEN') %></a></p>
            <p><small><%= siteName %>: <%= t('WHY') %>
            <a href="<%= unsubscribeLink %>"><%= t('UNSUBSCRIBE') %></a></small></p>
            </body>
            </html>

            """
    }

    static func find(_ id: String) -> MailDefinition? { all.first { $0.id == id } }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("emailTemplateId", id)
            json.member("defaultTestData", JSONValue.object(testData))
            json.member("defaultTranslationsByLocale", JSONValue.object(translations))
            json.member("defaultEJS", source)
        }
    }

    // MARK: All of them

    private static let commentData = """
        {"toName": "Ada", "comment": {"commenterName": "Grace", "commentHTML": "<b>Well said.</b>", "pageTitle": "News"}}
        """

    private static let commentBody = """
        <p><%= comment.commenterName %> (<%= comment.pageTitle %>):</p>
        <blockquote><%- comment.commentHTML %></blockquote>
        """

    private static let nameBody = "<p><%= toName %>, <%= t('TEXT') %></p>"

    static let all: [MailDefinition] = [
        MailDefinition(
            "comment-user-mention", testData: commentData,
            words: [
                ("HEADING", "Somebody mentioned you"), ("OPEN", "See the comment"),
                ("WHY", "You get this because your name stands in a comment."),
            ], body: commentBody),
        MailDefinition(
            "commenter-comment-notification", testData: commentData,
            words: [
                ("HEADING", "There is a reply to your comment"), ("OPEN", "Read and answer"),
                ("WHY", "You get this because you wrote a comment."),
            ], body: commentBody),
        MailDefinition(
            "profile-comment-notification", testData: commentData,
            words: [
                ("HEADING", "There is a comment on your profile"), ("OPEN", "Go to your profile"),
                ("WHY", "You get this because it is your profile."),
            ], body: commentBody),
        MailDefinition(
            "subscribed-page-notifications", testData: commentData,
            words: [
                ("HEADING", "A page that you follow has a new comment"), ("OPEN", "Go to the page"),
                ("WHY", "You get this because you follow the page."),
            ], body: commentBody),
        MailDefinition(
            "tenant-comment-notification", testData: commentData,
            words: [
                ("HEADING", "Your site has a new comment"), ("OPEN", "Go to the comment"),
                ("WHY", "You get this because you look after the site."),
            ], body: commentBody),
        MailDefinition(
            "badge-award", testData: #"{"toName": "Ada", "badge": {"label": "Regular"}}"#,
            words: [
                ("HEADING", "You earned a badge"), ("OPEN", "See your badges"), ("TEXT", "this badge is yours now:"),
                ("WHY", "You get this because you take part."),
            ], body: nameBody + "\n<p><strong><%= badge.label %></strong></p>"),
        MailDefinition(
            "login", testData: #"{"toName": "Ada"}"#,
            words: [
                ("HEADING", "Your link to sign in"), ("OPEN", "Sign in"),
                ("TEXT", "this link signs you in once. If you did not ask for it, do nothing."),
                ("WHY", "You get this because somebody asked for a link to sign in."),
            ], body: nameBody),
        MailDefinition(
            "password-reset-request", testData: #"{"toName": "Ada"}"#,
            words: [
                ("HEADING", "Choose a new password"), ("OPEN", "Choose a password"),
                ("TEXT", "you can choose a new password now. If you did not ask for this, do nothing."),
                ("WHY", "You get this because somebody asked for a new password."),
            ], body: nameBody),
        MailDefinition(
            "tenant-user-invite", testData: #"{"toName": "Ada", "fromName": "Grace"}"#,
            words: [
                ("HEADING", "You are invited"), ("OPEN", "Accept"),
                ("TEXT", "help to look after the site. You were asked by"),
                ("WHY", "You get this because somebody wants you on the team."),
            ], body: nameBody + "\n<p><%= fromName %></p>"),
    ]
}

import JSON
import TestSupport
import Testing

/// The language of `translatedError` (contract: public 2.1, 2.3).
@Suite struct RefusalLanguageTests {
    private static let english = "Please write something first."
    private static let german = "Schreib bitte zuerst etwas."
    private static let french = "Écrivez d’abord quelque chose."
    private static let italian = "Scrivi prima qualcosa."

    private static let italianReader = Person("italian", extras: ["locale": "it_it"])

    /// Posts nothing, and is told so.
    private static func refusal(
        _ site: Site, _ person: Person? = .author, query: QueryItems = [:], extras: JSONValue = [:],
        browser: String? = nil
    ) throws -> String? {
        let reader = try site.reader(person)
        guard let browser else {
            return try reader.post(" ", extras: extras, query: query)["translatedError"]?.string
        }
        let basics: QueryItems = ["urlId": "page", "broadcastId": "b", "sso": reader.sso]
        let body: JSONValue = ["comment": " ", "commenterName": "Guest", "url": "page", "urlId": "page"]
        let answer = try reader.client.request(
            "POST", "/comments/\(site.tenant.id)", basics + query, headers: [("accept-language", browser)], body: body)
        #expect(answer.code == "empty-comment")
        return answer["translatedError"]?.string
    }

    @Test func `without a wish it is English`() throws {
        let site = try Site()
        #expect(try Self.refusal(site) == Self.english)
        #expect(try Self.refusal(site, browser: "*") == Self.english)
        #expect(try Self.refusal(site, query: ["locale": "xx_yy"]) == Self.english)
    }

    @Test func `the request's locale counts first, then the person's, the owner's and the browser's`() throws {
        let site = try Site(["locale": "fr_fr"])
        let plain = try Site()
        let asked: QueryItems = ["locale": "de_de"]
        #expect(try Self.refusal(site, Self.italianReader, query: asked, browser: "ko") == Self.german)
        #expect(try Self.refusal(site, Self.italianReader, extras: ["locale": "de-DE"]) == Self.german)
        #expect(try Self.refusal(site, Self.italianReader, query: ["locale": "xx"], browser: "ko") == Self.italian)
        #expect(try Self.refusal(site, Self.italianReader) == Self.italian)
        #expect(try Self.refusal(site, browser: "ko") == Self.french)
        #expect(try Self.refusal(plain, browser: "ru, it;q=0.8, de;q=0.9") == Self.german)
        #expect(try Self.refusal(plain, Self.italianReader, browser: "ko") == Self.italian)
    }

    @Test func `a locale of another type is no wish`() throws {
        let site = try Site()
        #expect(try Self.refusal(site, extras: ["locale": 5]) == Self.english)
        #expect(try Self.refusal(site, extras: ["locale": nil]) == Self.english)
    }

    @Test func `a person's language is known from before`() throws {
        let site = try Site()
        let id = "1"
        try site.takes { try site.reader(Person(id, extras: ["locale": "it_it"])).post("Ciao") }
        #expect(try Self.refusal(site, Person(id)) == Self.italian)
        #expect(try Self.refusal(site, Person(id, extras: ["locale": nil])) == Self.english)
    }

    @Test func `reads are refused in the reader's language too`() throws {
        let site = try Site(["requireSSO": true, "locale": "de_de"])
        let answer = try site.refuses(403, "unauthorized-page") { try site.reader().comments() }
        #expect(answer["translatedError"] == "Du hast keinen Zugriff auf diese Seite.")
        #expect(answer["reason"] == "You do not have access to this page.")
        let english = try site.reader().comments(["locale": "en_us"])
        #expect(english["translatedError"] == "You do not have access to this page.")
    }

    @Test func `a sign-on that is refused is refused in the owner's language`() throws {
        let site = try Site(["locale": "de_de"])
        let answer = try site.reader().signedOn("{\"userDataJSONBase64\":5}").comments()
        #expect(answer.code == "malformed-sso")
        #expect(answer["translatedError"] == "Die Anmeldung hat nicht geklappt. Bitte lade die Seite neu.")
    }

    @Test func `a limit stands in the sentence`() throws {
        let site = try Site(["maxCommentCharacterLength": 10, "locale": "de_de"])
        let answer = try site.refuses(422, "comment-too-big") { try site.reader(.author).post("Eleven long") }
        #expect(answer["translatedError"] == "Dein Kommentar ist zu lang. Erlaubt sind höchstens 10 Zeichen.")
        try site.takes { try site.reader(.author).post("Ten letter") }
    }

    @Test func `a refusal whose effect stays is worded too`() throws {
        let site = try Site()
        let guest = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let id = guest["comment", "_id"]?.string ?? ""
        let wrong = try site.reader().text(id, query: ["editKey": "wrong", "locale": "de_de"])
        #expect(wrong.code == "edit-key-invalid")
        #expect(wrong["translatedError"] == "Dieser Kommentar lässt sich von hier aus nicht mehr ändern.")
    }

    /// Such are prepared off the loop.
    @Test func `large requests are refused in the reader's language`() throws {
        let site = try Site(["locale": "de_de"])
        let text = String(repeating: "word ", count: 4000)
        let answer = try site.refuses(422, "comment-too-big") { try site.reader(.author).post(text) }
        #expect(answer["translatedError"] == "Dein Kommentar ist zu lang. Erlaubt sind höchstens 2000 Zeichen.")
        let asked = try site.refuses(422, "comment-too-big") {
            try site.reader(.author).post(text, extras: ["locale": "fr_fr"])
        }
        #expect(asked["translatedError"] == "Votre commentaire est trop long. La limite est de 2000 caractères.")
    }

    @Test func `somebody who goes too fast is told so in their language`() throws {
        let site = try Site(["locale": "de_de", "maxCommentCreatedCountPUPM": 1], isExempt: false)
        let author = try site.reader(.author)
        try site.takes { try author.post("First") }
        let answer = try site.refuses(429, "user-rate-limited") { try author.post("Second") }
        #expect(
            answer["translatedError"]
                == "Das war etwas zu schnell. Bitte warte einen Moment und versuche es dann noch einmal.")
    }

    @Test func `another tenant's person has no say`() throws {
        let site = try Site(["locale": "de_de"])
        let other = try Site()
        try other.takes { try other.reader(Self.italianReader).post("Ciao") }
        let reader = try other.reader(Self.italianReader)
        let stranger = Reader(reader.client, tenant: site.tenant.id, page: "page", sso: reader.sso)
        let answer = try site.refuses(401, "malformed-sso") { try stranger.post("Hello") }
        #expect(answer["translatedError"] == "Die Anmeldung hat nicht geklappt. Bitte lade die Seite neu.")
    }

    @Test func `a broken sign-on and a private profile have words of their own`() throws {
        let site = try Site()
        let broken = try site.refuses(401, "malformed-sso") {
            try site.reader().signedOn("nonsense").comments(["locale": "fr_fr"])
        }
        #expect(broken["translatedError"] == "La connexion n’a pas fonctionné. Veuillez recharger la page.")
        let hidden = Person.author.with(["isProfileCommentsPrivate": true])
        try site.takes { try site.reader(hidden).post("Hello") }
        let asked: QueryItems = ["userId": "\(site.tenant.id):author"]
        let own = try site.refuses(403, "profile-comments-private") {
            try site.client().request("GET", "/comments-for-user", asked + ["locale": "de_de"])
        }
        #expect(own["translatedError"] == "Die Kommentare auf diesem Profil sind privat.")
        let english = try site.client().request("GET", "/comments-for-user", asked)
        #expect(english["translatedError"] == "The comments on this profile are private.")
    }
}

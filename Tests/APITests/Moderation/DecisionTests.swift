import Foundation
import JSON
import TestSupport
import Testing

extension Site {
    /// Sets how new comments are judged, as `parley moderation set` does.
    func judges(_ settings: JSONValue) throws {
        let text = String(decoding: settings.jsonBytes(), as: UTF8.self)
        try execute("UPDATE tenant SET moderation = '\(text)' WHERE id = '\(tenant.id)'")
    }

    /// Label and sentence of each entry of a comment's log.
    func log(_ id: String) throws -> [String] {
        let entries = try #require(try reader(.admin).moderating("GET", "logs/\(id)")["logs"]?.array)
        return entries.map { "\($0["actionName"]?.string ?? "") | \($0["messageHTML"]?.string ?? "")" }
    }
}

/// What becomes of new texts, phase by phase (contract: admin 8.1).
@Suite struct DecisionTests {
    private static let spam =
        "Earn $500 per day from home, free casino bonus, no experience needed https://win-big.top/x"

    private func id(_ answer: Answer) throws -> String { try #require(answer["comment", "_id"]?.string) }

    private func texts(_ reader: Reader) throws -> [String] {
        try #require(try reader.comments()["comments"]?.array).compactMap { $0["commentHTML"]?.string }
    }

    // MARK: Profanity

    @Test func profaneWordsAreMaskedForAllButStaff() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let answer = try site.takes { try author.post("What a fucking $h1t, Scunthorpe") }
        #expect(answer["comment", "commentHTML"] == "What a ******* ****, Scunthorpe")
        #expect(try author.text(id(answer))["commentText"] == "What a ******* ****, Scunthorpe")
        #expect(
            try site.log(id(answer)) == ["Profanity Masked | The word <b>fucking</b> was masked. (Phase: profanity.)"])
        let staff = try site.takes { try site.reader(.moderator).post("What a fucking shit") }
        #expect(staff["comment", "commentHTML"] == "What a fucking shit")
        #expect(try site.log(id(staff)).isEmpty)
        let guest = try site.takes {
            try site.reader().post("Shit", extras: ["commenterName": "Shit Head", "commenterEmail": "a@example.com"])
        }
        #expect(guest["comment", "commenterName"] == "**** Head")
        #expect(guest["comment", "commentHTML"] == "****")
        #expect(try site.takes { try site.reader(.reader(1)).comments(["searchText": "fucking"]) }.isSuccess)
    }

    @Test(arguments: ["say sh&#105;t now", "say sh<i></i>it now", "say sh&shy;it now", "say <b>sh</b>it now"])
    func aWordThatReadersSeeIsMaskedHoweverItIsWritten(_ text: String) throws {
        let site = try Site()
        let answer = try site.takes { try site.reader(.author).post(text) }
        let shown = try #require(answer["comment", "commentHTML"]?.string)
        #expect(shown.hasPrefix("say **") && shown.hasSuffix("* now"), "\(shown)")
    }

    @Test(arguments: [
        ("a `fuck` b", "a <code>****</code> b"), ("a `x fuck` b", "a <code>x ****</code> b"),
        ("```\nfuck\n```", "****"), ("```\nx-fuck\n```", "x-****"), ("`a` x(fuck)", "<code>a</code> x(****)"),
    ])
    func starsInCodeAreStarsAlone(_ text: String, _ part: String) throws {
        let site = try Site()
        let answer = try site.takes { try site.reader(.author).post(text) }
        let shown = try #require(answer["comment", "commentHTML"]?.string)
        #expect(shown.contains(part) && !shown.contains("\\"), "\(shown)")
    }

    @Test func namesOfThoseWhoSignOnAreMaskedUnlessTheSiteAllowsThem() throws {
        let site = try Site()
        let rude = Person("rude", username: "Shit Head", extras: ["displayName": "Fuck You"])
        let name = { (reader: Reader) in
            try site.takes { try reader.post("Hello \(UUID())") }["comment", "commenterName"]
        }
        #expect(try name(site.reader(rude)) == "**** You")
        #expect(try name(site.reader().signedOn(SSO.simple(rude))) == "**** You")
        let stored = try site.table("SELECT username FROM person WHERE tenant_id = ?1 AND username LIKE '% Head'")
        #expect(Set(stored) == [["**** Head"]])
        let staff = Person("staff", username: "Shit Boss", extras: ["isModerator": true])
        #expect(try name(site.reader(staff)) == "Shit Boss")
        try site.judges(["allowProfaneNames": true])
        #expect(try name(site.reader(rude)) == "Fuck You")
        try site.judges(["allowProfaneNames": false])
        #expect(try name(site.reader(rude)) == "**** You")
    }

    @Test func whatIsEditedIsMaskedToo() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("Fine")
        let edited = try site.takes { try author.edit(id, "Not shit at all") }
        #expect(edited["comment", "commentHTML"] == "Not **** at all")
        let byModerator = try site.takes {
            try site.known(.admin).moderating("POST", "set-comment-text/\(id)", body: ["comment": "no shit here"])
        }
        #expect(byModerator["newCommentTextHTML"] == "no **** here")
    }

    @Test func theTenantsOwnWordsAndExceptionsCount() throws {
        let site = try Site()
        try site.judges(["profanityWords": ["heck*"], "profanityExceptions": ["shit"], "allowProfaneNames": true])
        let answer = try site.takes {
            try site.reader().post(
                "What the hecking shit", extras: ["commenterName": "Heck", "commenterEmail": "a@example.com"])
        }
        #expect(answer["comment", "commentHTML"] == "What the ******* shit")
        #expect(answer["comment", "commenterName"] == "Heck")
        try site.judges(["enableProfanityFilter": false])
        #expect(
            try site.takes { try site.reader(.author).post("a fuck b") }["comment", "commentHTML"] == "a fuck b")
    }

    @Test func profanityMayBeSpam() throws {
        let site = try Site()
        try site.judges(["sendProfaneToSpam": true])
        let answer = try site.takes { try site.reader(.author).post("a fuck b") }
        #expect(answer["comment", "isSpam"] == true && answer["comment", "approved"] == false)
        #expect(try texts(site.reader(.reader(1))).isEmpty)
        #expect(
            try site.log(id(answer))
                == ["Comment is Spam | The comment is spam because of the word <b>fuck</b>. (Phase: profanity.)"])
    }

    @Test func aBackendsCommentsAreMasked() throws {
        let site = try Site()
        let id = try site.saved("a fuck b", ["commenterName": "Shit Head"])
        let stored = try site.stored(id)
        #expect(stored["comment"] == "a **** b" && stored["commenterName"] == "**** Head")
        try site.does("PATCH", "comments/\(id)", [:], ["comment": "b shit c"])
        #expect(try site.stored(id)["comment"] == "b **** c")
    }

    // MARK: Spam

    @Test func spamIsKeptWithItsReasonAndSeenByModeratorsOnly() throws {
        let site = try Site(isExempt: false)
        let author = try site.reader(.author)
        let other = try site.reader(.reader(1))
        let live = try other.live(other.comments())
        let answer = try site.takes { try author.post(Self.spam) }
        #expect(answer["comment", "isSpam"] == true && answer["comment", "approved"] == false)
        let spam = try id(answer)
        #expect(try texts(other).isEmpty && texts(author).isEmpty)
        #expect(try other.comments(["countAll": "true"])["commentCount"] == 0)
        let entry = try #require(try site.log(spam).first)
        #expect(entry.hasPrefix("Comment is Spam | The comment is spam for the filter (<b>naive Bayes, "), "\(entry)")
        #expect(entry.hasSuffix("(Phase: filter.)"))
        #expect(try site.stored(spam)["aiDeterminedSpam"] == true)
        // The next that everybody sees is the first that others hear of.
        let plain = try author.posted("Casino without a link")
        #expect(try live.nextJSON()["comment", "_id"] == .string(plain))
        try site.takes { try site.reader(.moderator).post(Self.spam) }
        #expect(try texts(other).count == 2)
    }

    @Test func theFilterIsSkippedWhereSpamCannotBe() throws {
        let site = try Site(isExempt: false)
        let author = try site.reader(.author)
        let text = Self.spam.replacingOccurrences(of: " https://win-big.top/x", with: "")
        #expect(try site.takes { try author.post(text) }["comment", "isSpam"] == nil)
        #expect(try site.takes { try Site().reader(.author).post(Self.spam) }["comment", "isSpam"] == nil)
        try site.judges(["enableSpamFilter": false])
        #expect(try site.takes { try author.post(Self.spam) }["comment", "isSpam"] == nil)
        let home = try Site(isExempt: false, domains: ["*.win-big.top"])
        #expect(try home.takes { try home.reader(.author).post(Self.spam) }["comment", "isSpam"] == nil)
    }

    @Test func perfectTrustIsStrongerThanTheFilter() throws {
        let site = try Site(isExempt: false)
        let author = try site.reader(.author)
        _ = try author.posted("Hello")
        try site.takes {
            try site.known(.admin).moderating("PUT", "set-trust-factor", ["userId": "author", "trustFactor": "100"])
        }
        let answer = try site.takes { try author.post(Self.spam) }
        #expect(answer["comment", "isSpam"] == nil)
        #expect(try site.log(id(answer)).first?.hasPrefix("Not Spam | ") == true)
    }

    @Test func spamMayBeRefused() throws {
        let site = try Site(isExempt: false)
        try site.judges(["blockSpam": true])
        let author = try site.reader(.author)
        let own = try author.posted("Hello")
        let refused = try site.refuses(422, "spam") { try author.post(Self.spam, query: ["locale": "de_de"]) }
        #expect(refused["translatedError"] == "Dein Kommentar sieht nach Spam aus und wurde nicht veröffentlicht.")
        try site.refuses(422, "spam") { try author.edit(own, Self.spam) }
        // A backend is no author.
        let saved = try site.does(
            "POST", "comments", ["doSpamCheck": "true"], Site.comment(Self.spam, ["approved": true]))
        #expect(saved["comment", "isSpam"] == true && saved["comment", "approved"] == false)
    }

    @Test func theFirstPhaseThatFindsSpamIsTheOneInTheLog() throws {
        let site = try Site(["spamRules": [["actions": ["spam"], "commentContains": "casino"]]], isExempt: false)
        try site.judges(["commentsRequireApproval": true])
        let spam = try id(try site.takes { try site.reader(.author).post(Self.spam) })
        #expect(
            try site.log(spam)
                == ["Comment is Spam | The comment is spam by the site's rule about <b>casino</b>. (Phase: rules.)"])
    }

    @Test func aRuleOfTheSiteOverridesTheFilter() throws {
        let site = try Site(["spamRules": [["actions": ["not-spam"], "commentContains": "casino"]]], isExempt: false)
        #expect(try site.takes { try site.reader(.author).post(Self.spam) }["comment", "isSpam"] == nil)
    }

    // MARK: Repetitions

    @Test func repetitionsAreRefusedTakenOrSpam() throws {
        let site = try Site(isExempt: false)
        let author = try site.reader(.author)
        let text = "I think that this is the best article about bread I ever read"
        _ = try author.posted(text)
        try site.refuses(422, "duplicate") { try author.post(text) }
        try site.refuses(422, "duplicate") {
            try author.post("I thlnk that this is the BEST article about bread I ever read!")
        }
        try site.judges(["repeatAction": 2])
        let spam = try site.takes { try author.post(text) }
        #expect(spam["comment", "isSpam"] == true)
        #expect(try site.log(id(spam)).first?.hasSuffix("(Phase: repetition.)") == true)
        try site.judges(["repeatAction": 0])
        #expect(try site.takes { try author.post(text) }["comment", "isSpam"] == nil)
        try site.judges(["repeatMinLength": .integer(Int64(text.count) + 1)])
        try site.takes { try author.post(text) }
        try site.judges(["repeatMinLength": .integer(Int64(text.count))])
        let other = try site.reader(.reader(1))
        _ = try other.posted(text)
        try site.refuses(422, "duplicate") { try other.post(text) }
    }

    // MARK: Approval

    @Test func commentsMayWaitForApproval() throws {
        let site = try Site()
        try site.judges(["commentsRequireApproval": true])
        let author = try site.reader(.author)
        let other = try site.reader(.reader(1))
        let live = try other.live(other.comments())
        let answer = try site.takes { try author.post("Hello") }
        #expect(answer["comment", "approved"] == false && answer["comment", "isSpam"] == nil)
        #expect(try texts(other).isEmpty)
        #expect(try texts(author) == ["Hello"])
        #expect(
            try site.log(id(answer)) == [
                "Not Auto Approved | The comment waits for approval, as the site wants it. (Phase: approval.)"
            ])
        try site.takes { try site.reader(.moderator).post("From us") }
        #expect(try live.nextJSON()["comment", "commentHTML"] == "From us")
        try site.takes {
            try site.known(.admin).moderating(
                "POST", "set-comment-approval-status/\(try id(answer))", ["approved": "true"])
        }
        #expect(try texts(other).sorted() == ["From us", "Hello"])
    }

    @Test func onlyUnknownAuthorsMayHaveToWait() throws {
        let site = try Site()
        let known = try site.reader(.author)
        _ = try known.posted("Before")
        try site.judges(["onlyAutoApproveApprovedUsers": true])
        #expect(try site.takes { try known.post("After") }["comment", "approved"] == true)
        let new = try site.reader(.reader(1))
        #expect(try site.takes { try new.post("First") }["comment", "approved"] == false)
        #expect(try site.takes { try new.post("Second") }["comment", "approved"] == false)
    }

    @Test func onlyUnverifiedAuthorsMayHaveToWait() throws {
        let site = try Site()
        try site.judges(["commentsRequireApproval": true, "autoApproveCommentOnVerification": true])
        #expect(try site.takes { try site.reader(.author).post("Signed") }["comment", "approved"] == true)
        let guest = try site.takes { try site.reader().post("Guest", extras: guestExtras) }
        #expect(guest["comment", "approved"] == false)
    }

    @Test func littleTrustWaits() throws {
        let site = try Site()
        let author = try site.reader(.author)
        _ = try author.posted("Hello")
        for (factor, isApproved) in [("10", true), ("9", false)] {
            try site.takes {
                try site.known(.admin).moderating(
                    "PUT", "set-trust-factor", ["userId": "author", "trustFactor": factor])
            }
            let answer = try site.takes { try author.post("With \(factor)") }
            #expect(answer["comment", "approved"] == .bool(isApproved))
        }
        let held = try site.table("SELECT event, phase, after FROM comment_log WHERE tenant_id = ?1")
        #expect(held == [["NotApprovedLowTrustFactor", "trust", "9"]])
    }

    // MARK: Flags

    @Test func exactlySoManyFlagsHideAComment() throws {
        let site = try Site()
        try site.judges(["autoUnapproveFlagThreshold": 2])
        let id = try site.reader(.author).posted("Hello")
        let readers = try (1...3).map { try site.known(.reader($0)) }
        let live = try readers[2].live(readers[2].comments())
        try site.takes { try readers[0].flag(id) }
        #expect(try texts(readers[2]).count == 1)
        try site.takes { try readers[1].flag(id) }
        #expect(try live.event("deleted-comment")["comment", "_id"] == .string(id))
        #expect(try texts(readers[2]).isEmpty)
        let again = try site.takes {
            try site.known(.admin).moderating("POST", "set-comment-approval-status/\(id)", ["approved": "true"])
        }
        #expect(again["didResetFlaggedCount"] == true)
        #expect(try texts(readers[2]).count == 1)
        #expect(try site.number("SELECT flag_count FROM comment WHERE tenant_id = ?1") == 0)
    }
}

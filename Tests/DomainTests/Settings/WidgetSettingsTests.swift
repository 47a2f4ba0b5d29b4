import Domain
import JSON
import Testing

@Suite struct WidgetSettingsTests {
    @Test(arguments: ["", "nonsense", "[]", "null", "{}"])
    func `nothing set gives the defaults`(text: String) {
        let settings = WidgetSettings(parsing: text)
        #expect(settings.values.members.isEmpty)
        #expect(settings.maximumCommentLength == 2000)
        #expect(settings.commentsPerMinute == 5)
        #expect(settings.pageSize == 30)
        #expect(settings.defaultDirection == .mostRelevant)
        #expect(settings.nameFormat == .asEntered)
        #expect(settings.deleteMode == .cascade)
        #expect(settings.linkHosts == nil)
        #expect(!settings.allowsAnonymous && !settings.requiresSSO && !settings.isReadOnly)
    }

    @Test(arguments: [(-1, 10), (0, 10), (9, 10), (10, 10), (30, 30), (200, 200), (201, 200), (Int.max, 200)])
    func `the page size stays in its bounds`(set: Int, used: Int) {
        #expect(WidgetSettings(parsing: #"{"pageSize":\#(set)}"#).pageSize == used)
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2000, 2000), (Int.max, Int.max)])
    func `the longest comment has at least one character`(set: Int, used: Int) {
        #expect(WidgetSettings(parsing: #"{"maxCommentCharacterLength":\#(set)}"#).maximumCommentLength == used)
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (Int.max, Int.max)])
    func `comments per minute are never negative`(set: Int, used: Int) {
        #expect(WidgetSettings(parsing: #"{"maxCommentCreatedCountPUPM":\#(set)}"#).commentsPerMinute == used)
    }

    @Test func `a value of the wrong kind counts as not set`() {
        let settings = WidgetSettings(
            parsing: """
                {"pageSize":"50","allowAnon":"true","readonly":1,"defaultSortDirection":"XX","commenterNameFormat":9,\
                "commentThreadDeleteMode":7,"restrictedLinkDomains":"h.com","maxCommentCharacterLength":1e300}
                """)
        #expect(settings.pageSize == 30)
        #expect(!settings.allowsAnonymous && !settings.isReadOnly)
        #expect(settings.defaultDirection == .mostRelevant)
        #expect(settings.nameFormat == .asEntered)
        #expect(settings.deleteMode == .cascade)
        #expect(settings.linkHosts == nil)
        #expect(settings.maximumCommentLength == 2000)
    }

    @Test func `what is set is obeyed`() {
        let settings = WidgetSettings(
            parsing: """
                {"allowAnon":true,"requireSSO":true,"ssoSecLvl":1,"defaultSortDirection":"NF","pageSize":50.0,\
                "restrictedLinkDomains":["H.com",5],"commentThreadDeleteMode":2,"commenterNameFormat":3,"voteStyle":1,\
                "commentHTMLRenderingMode":1,"locale":"de"}
                """)
        #expect(settings.allowsAnonymous && settings.requiresSSO && settings.requiresSecureSSO)
        #expect(settings.hasHeartVotes && settings.rendersLinksAsText)
        #expect(settings.defaultDirection == .newestFirst)
        #expect(settings.pageSize == 50)
        #expect(settings.linkHosts == ["h.com"])
        #expect(settings.deleteMode == .forbid)
        #expect(settings.nameFormat == .allInitials)
        #expect(settings.locale == "de")
    }

    @Test func `null lifts the restriction of links and an empty list forbids all`() {
        #expect(WidgetSettings(parsing: #"{"restrictedLinkDomains":null}"#).linkHosts == nil)
        #expect(WidgetSettings(parsing: #"{"restrictedLinkDomains":[]}"#).linkHosts == [])
    }
}

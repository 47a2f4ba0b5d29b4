import JSON
import TestSupport
import Testing

/// Moderators whom groups bind (contract: admin 7): of what is not their concern they learn and change nothing.
@Suite struct GroupModeratorTests {
    private let site: Site
    private let author: Reader
    private let moderator: Reader
    private let own: String
    private let foreign: String

    init() throws {
        site = try Site()
        author = try site.known(.author)
        own = try author.posted("Own")
        foreign = try author.posted("Foreign")
        try site.group([own], #"["g1"]"#)
        try site.group([foreign], #"["g2"]"#)
        moderator = try site.known(.moderator)
        try site.bind(.moderator, to: #"["g1"]"#)
    }

    @Test func aForeignCommentIsAsUnknownAsOneThatNeverWas() throws {
        for path in ["remove-comment", "restore-deleted-comment"] {
            let unknown = try site.refuses(404, "not-found") { try moderator.moderating("POST", "\(path)/unknown") }
            let there = try site.refuses(404, "not-found") { try moderator.moderating("POST", "\(path)/\(foreign)") }
            #expect(there.text == unknown.text)
        }
        let admin = try site.known(.admin)
        try site.takes { try admin.moderating("POST", "remove-comment/\(foreign)") }
        for path in ["remove-comment", "restore-deleted-comment"] {
            let unknown = try site.refuses(404, "not-found") { try moderator.moderating("POST", "\(path)/unknown") }
            let gone = try site.refuses(404, "not-found") { try moderator.moderating("POST", "\(path)/\(foreign)") }
            #expect(gone.text == unknown.text)
        }
        try site.takes { try moderator.moderating("POST", "remove-comment/\(own)") }
        #expect(try moderator.moderating("POST", "remove-comment/\(own)")["action"] == "already-deleted")
        try site.takes { try moderator.moderating("POST", "restore-deleted-comment/\(own)") }
        #expect(try site.comments() == 1)
    }

    @Test func aSweepAndItsSummaryAreOfTheirGroups() throws {
        try site.copy(own, times: 40)
        try site.copy(foreign, times: 40)
        let query: QueryItems = ["includeByEmailDomain": "true", "includeByUserIdAndEmail": "true"]
        let admin = try site.known(.admin)
        #expect(try admin.moderating("GET", "pre-ban-summary/\(own)", query)["count"] == 82)
        #expect(try moderator.moderating("GET", "pre-ban-summary/\(own)", query)["count"] == 41)
        let bulk = try moderator.moderating(
            "POST", "bulk-pre-ban-summary", query, body: ["commentIds": [.string(own), .string(foreign)]])
        #expect(bulk["totalRelatedCommentCount"] == 41)
        try site.takes {
            try moderator.ban(own, ["banEmailDomain": "true", "deleteAllUsersComments": "true"])
        }
        try site.finish()
        #expect(try site.comments() == 41)
        #expect(try site.comments("moderation_groups LIKE '%g2%'") == 41)
    }

    @Test func bansOfOthersAreNotTheirs() throws {
        let admin = try site.known(.admin)
        let again = try author.posted("Own again")
        try site.group([again], #"["g1"]"#)
        let banned = try site.takes { try admin.ban(foreign) }
        let ban = try #require(banned["changelog", "createdBannedUserId"]?.string)
        try site.refuses(403, "unauthorized") {
            try moderator.ban(again, ["banEmail": "true", "bannedUntil": "one-hour"])
        }
        try site.refuses(403, "unauthorized") {
            try moderator.ban(again, ["banEmail": "true", "bannedUntil": "one-hour", "updateId": ban])
        }
        #expect(try author.post("Still banned").code == "banned")

        try site.takes {
            try admin.moderating("POST", "ban-user/undo", body: ["changelog": ["createdBannedUserId": .string(ban)]])
        }
        let own = try site.takes { try moderator.ban(again, ["banEmail": "true", "bannedUntil": "one-hour"]) }
        var changelog = try #require(own["changelog"]?.object)
        changelog = changelog.replacing("deletedBannedUsers", [["_id": .string(ban)]])
        try site.takes { try moderator.moderating("POST", "ban-user/undo", body: ["changelog": .object(changelog)]) }
        #expect(try author.post("Free").isSuccess)
    }

    @Test func groupsHoldForCommentsOfARemovedPage() throws {
        let page = try #require(try site.does("GET", "pages")["pages", 0, "id"]?.string)
        try site.does("DELETE", "pages/\(page)")
        try site.refuses(404, "not-found") { try moderator.moderating("POST", "remove-comment/\(foreign)") }
        let queue = try site.takes { try moderator.moderating("GET", "api/comments") }
        #expect(queue["comments"]?.array?.compactMap { $0["_id"]?.string } == [own])
    }

    @Test func anUnsignedSignOnIsNoModeratorWhateverIsStored() throws {
        #expect(try site.count("person WHERE id = '\(site.wireID(.moderator))' AND is_moderator = 1") == 1)
        let simple = try site.reader().signedOn(SSO.simple(.moderator))
        _ = try simple.comments()
        try site.refuses(403, "unauthorized") { try simple.moderating("POST", "remove-comment/\(own)") }
        #expect(try simple.comments()["isSiteAdmin"] == false)
        #expect(try simple.mark(own, "lock").status == 401)
        let typed = try site.reader().signedOn(SSO.simple(Person("moderator", username: "moderator")))
        try site.refuses(403, "unauthorized") { try typed.moderating("POST", "remove-comment/\(own)") }
    }
}

extension JSONObject {
    fileprivate func replacing(_ name: String, _ value: JSONValue) -> JSONObject {
        var object = JSONObject()
        for member in members where member.name != name { object.append(member.name, member.value) }
        object.append(name, value)
        return object
    }
}

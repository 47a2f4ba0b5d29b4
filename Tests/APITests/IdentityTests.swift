import JSON
import TestSupport
import Testing

/// Who somebody is, and what is kept of them (contract: public 3.2, 3.5, 4.1).
@Suite struct IdentityTests {
    // MARK: People

    @Test func firstSightMakesAPersonAndAnswersWithIt() throws {
        let site = try Site()
        let person = Person(
            "1", username: "reader", email: "Reader@Example.com",
            extras: [
                "displayName": "The Reader", "displayLabel": "Guide", "websiteUrl": "https://example.com/me",
                "avatar": "https://example.com/a.png", "groupIds": ["a", "b"],
            ])
        let expected: JSONValue = [
            "id": .string("\(site.tenant.id):1"), "authorized": true, "avatarSrc": "https://example.com/a.png",
            "displayLabel": "Guide", "displayName": "The Reader", "email": "Reader@Example.com",
            "groupIds": ["a", "b"], "hasBlockedUsers": false, "isAnonSession": false, "username": "reader",
            "websiteUrl": "https://example.com/me",
        ]
        let read = try site.takes { try site.reader(person).comments() }
        #expect(read["user"] == expected)
        let created = try site.takes { try site.reader(person).post("Hello") }
        #expect(created["user"] == expected)
        #expect(created["comment", "commenterName"] == "The Reader")
        #expect(created["comment", "displayLabel"] == "Guide")
        #expect(created["comment", "verified"] == true && created["comment", "approved"] == true)
        #expect(created["comment", "userId"] == read["user", "id"])
        #expect(created["comment", "editKey"] == nil && created["userIdWS"] == nil)
    }

    @Test func absentMembersStayAndNullClears() throws {
        let site = try Site()
        let full: JSONValue = [
            "displayName": "The Reader", "displayLabel": "Guide", "websiteUrl": "https://example.com/me",
            "avatar": "https://example.com/a.png", "groupIds": ["a"],
        ]
        let names = ["displayName", "displayLabel", "websiteUrl", "groupIds"]
        try site.takes { try site.reader(Person.author.with(full)).comments() }
        let kept = try site.takes { try site.reader(.author).comments() }
        for name in names { #expect(kept["user", .key(name)] != nil, "\(name)") }
        #expect(kept["user", "avatarSrc"] == "https://example.com/a.png")
        let nothing: JSONValue = [
            "displayName": nil, "displayLabel": nil, "websiteUrl": nil, "avatar": nil, "groupIds": nil,
        ]
        let cleared = try site.takes { try site.reader(Person.author.with(nothing)).comments() }
        for name in names { #expect(cleared["user", .key(name)] == nil, "\(name)") }
        #expect(cleared["user", "avatarSrc"]?.isNull == true)
    }

    @Test func aNewNameShowsOnOldComments() throws {
        let site = try Site(["enableCommenterLinks": true])
        let id = try site.reader(.author).posted("Hello")
        let shown = { try site.reader().comments()["comments", 0] }
        #expect(try shown()?["commenterName"] == "author")
        let renamed = Person("author", username: "New Name", email: "author@example.com")
        let looks: JSONValue = [
            "displayLabel": "Guide", "avatar": "https://example.com/a.png", "websiteUrl": "https://example.com/me",
        ]
        try site.takes { try site.reader(renamed.with(looks), at: "elsewhere").comments() }
        let comment = try #require(try shown())
        #expect(comment["_id"]?.string == id && comment["commenterName"] == "New Name")
        #expect(comment["displayLabel"] == "Guide" && comment["avatarSrc"] == "https://example.com/a.png")
        #expect(comment["commenterLink"] == "https://example.com/me")
    }

    @Test func aSeedThatRenamesShowsToo() throws {
        let site = try Site()
        _ = try site.reader(.author).posted("Hello")
        #expect(try site.reader().comments()["comments", 0, "commenterName"] == "author")
        try site.seed(["people": [["tenant": .string(site.tenant.id), "id": "author", "username": "Seeded"]]])
        #expect(try site.reader().comments()["comments", 0, "commenterName"] == "Seeded")
    }

    @Test func aWebsiteOfASignOnIsAWebAddressOrNothing() throws {
        let site = try Site(["enableCommenterLinks": true])
        for bad in ["javascript:alert(1)", "data:text/html,x", "http://x.com/?'onmouseover='alert(1)'x='"] {
            for token in [
                site.token(Person.author.with(["websiteUrl": .string(bad)])),
                SSO.simple(Person("s", extras: ["websiteUrl": .string(bad)])),
            ] {
                let answer = try site.takes { try site.reader().signedOn(token).post("Hello") }
                #expect(answer["user", "websiteUrl"] == nil && answer["comment", "commenterLink"] == nil)
            }
        }
    }

    @Test func rolesComeWithSignedDataAndGo() throws {
        let site = try Site()
        let id = try site.reader(.author).posted("Hello")
        let seen = { (extras: JSONValue) in
            try site.takes { try site.reader(Person("boss", extras: extras)).comments() }["isSiteAdmin"]?.bool
        }
        #expect(try seen([:]) == false)
        #expect(try seen(["isAdmin": true]) == true)
        #expect(try seen([:]) == true)
        try site.takes { try site.reader(Person("boss")).mark(id, "pin") }
        #expect(try seen(["isAdmin": false]) == false)
        #expect(try seen([:]) == false)
        try site.refuses(401, "unauthorized") { try site.reader(Person("boss")).mark(id, "unpin") }
        #expect(try seen(["isModerator": true]) == true)
        #expect(try seen(["isModerator": nil]) == false)
    }

    @Test func theOwnersAddressMakesAnAdministrator() throws {
        let site = try Site()
        let owner = try site.reader(Person("o", email: "OWNER@fctest.com"))
        #expect(try owner.comments()["isSiteAdmin"] == true)
        #expect(try site.takes { try owner.post("Hello") }["comment", "isByAdmin"] == true)
    }

    @Test func everyReadSaysWhetherTheViewerIsStaff() throws {
        let site = try Site()
        for query: QueryItems in [[:], ["page": "1"], ["skip": "5"], ["asTree": "true"], ["parentId": "x"]] {
            #expect(try site.reader().comments(query)["isSiteAdmin"] == false)
            #expect(try site.reader(.admin).comments(query)["isSiteAdmin"] == true)
        }
    }

    @Test func thePresenceTokenIsThePersons() throws {
        let site = try Site()
        let first = try site.reader(.author).comments()["userIdWS"]
        #expect(first?.string?.isEmpty == false)
        #expect(try site.reader(.author, at: "other").comments()["userIdWS"] == first)
        #expect(try site.reader(.reader(1)).comments()["userIdWS"] != first)
        #expect(try site.reader().comments()["userIdWS"] != site.reader().comments()["userIdWS"])
    }

    // MARK: Guests

    @Test func aGuestsCommentBeginsASession() throws {
        let site = try Site()
        let answer = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let user = try #require(answer["user"]?.object)
        let id = try #require(user["id"]?.string)
        #expect(id.hasPrefix("anon:"))
        #expect(answer["comment", "anonUserId"]?.string == id)
        #expect(user["username"] == "Guest" && user["email"] == "guest@example.com")
        #expect(user["authorized"] == true && user["isAnonSession"] == true && user["hasBlockedUsers"] == false)
        #expect(user["avatarSrc"] == .null && (user["sessionId"]?.string?.utf8.count ?? 0) >= 22)
        let comment = answer["comment"]
        #expect(comment?["editKey"]?.string?.isEmpty == false && comment?["requiresVerification"] == true)
        #expect(comment?["verified"] == false && comment?["userId"]?.isNull != false)
        let session: QueryItems = ["sessionId": user["sessionId"]?.string]
        let read = try site.takes { try site.reader().comments(session) }
        #expect(read["user", "id"]?.string == id && read["userIdWS"] == answer["userIdWS"])
        // Neither the key nor the address is for other readers.
        let page = try site.reader().comments()
        #expect(page["comments", 0, "editKey"] == nil)
        #expect(!page.text.contains("guest@example.com"))
    }

    @Test func theSessionMakesTheSameGuest() throws {
        let site = try Site()
        let first = try site.takes { try site.reader().post("First", extras: guestExtras) }
        let session: QueryItems = ["sessionId": first["user", "sessionId"]?.string]
        let second = try site.takes { try site.reader().post("Second", extras: guestExtras, query: session) }
        #expect(second["user", "id"] == first["user", "id"])
        #expect(second["user", "sessionId"] == first["user", "sessionId"])
        #expect(second["userIdWS"] == nil)
        let third = try site.takes {
            try site.reader().post("Third", extras: guestExtras, query: ["sessionId": "made-up"])
        }
        #expect(third["user", "id"] != first["user", "id"])
        #expect(third["user", "sessionId"] != "made-up")
    }

    @Test func aSessionIsGoodForItsTenantOnly() throws {
        let site = try Site()
        let other = try Site()
        let guest = try site.takes { try site.reader().post("First", extras: guestExtras) }
        let session: QueryItems = ["sessionId": guest["user", "sessionId"]?.string]
        #expect(try other.reader().comments(session)["user", "id"] == nil)
    }

    @Test func whoSignsOnIsNoGuestWhateverTheBodySays() throws {
        let site = try Site()
        let answer = try site.takes {
            try site.reader(.author).post(
                "Hello",
                extras: [
                    "commenterName": "Tester", "commenterEmail": "x@example.com", "userId": "victim",
                    "avatarSrc": "https://evil.test/a.png", "verified": true, "isPinned": true, "votes": 100,
                ])
        }
        #expect(answer["comment", "commenterName"] == "author")
        #expect(answer["comment", "userId"]?.string == "\(site.tenant.id):author")
        #expect(answer["comment", "avatarSrc"]?.isNull != false)
        #expect(answer["comment", "isPinned"] == false && answer["comment", "votes"] == 0)
    }
}

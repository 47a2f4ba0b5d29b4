import Domain
import Testing

@Suite struct PersonChangesTests {
    private func text(_ length: Int) -> String { String(repeating: "é", count: length) }

    @Test(arguments: [("displayName", 500), ("displayLabel", 100), ("locale", 20)])
    func `a text has as many characters as its limit and not one more`(name: String, limit: Int) throws {
        _ = try Signing.changes(Signing.user(#""\#(name)":"\#(text(limit))""#))
        let error = Signing.refusal(Signing.sso(Signing.user(#""\#(name)":"\#(text(limit + 1))""#)))
        #expect(error?.code == "malformed-sso")
        #expect(error?.reason.contains("\(limit)") == true)
    }

    @Test(arguments: [("avatar", 3000), ("websiteUrl", 2000)])
    func `an address has as many characters as its limit and not one more`(name: String, limit: Int) throws {
        let longest = "https://h/" + String(repeating: "a", count: limit - 10)
        let changes = try #require(try Signing.changes(Signing.user(#""\#(name)":"\#(longest)""#)))
        #expect((name == "avatar" ? changes.avatar : changes.websiteURL).applied(to: nil) == longest)
        #expect(Signing.refusal(Signing.sso(Signing.user(#""\#(name)":"\#(longest)a""#)))?.code == "malformed-sso")
    }

    @Test func `id and username have a thousand characters and not one more`() throws {
        let user = { (id: Int, name: Int) in #"{"id":"\#(text(id))","email":"a@b.c","username":"\#(text(name))"}"# }
        #expect(try Signing.changes(user(1000, 1000))?.id == text(1000))
        #expect(Signing.refusal(Signing.sso(user(1001, 1)))?.code == "malformed-sso")
        #expect(Signing.refusal(Signing.sso(user(1, 1001)))?.code == "malformed-sso")
    }

    @Test func `an e-mail has a thousand characters and not one more`() throws {
        let user = { (length: Int) in
            #"{"id":"1","username":"kim","email":"\#(String(repeating: "a", count: length - 4))@b.c"}"#
        }
        #expect(Signing.refusal(Signing.sso(user(1000))) == nil)
        #expect(Signing.refusal(Signing.sso(user(1001)))?.code == "malformed-sso")
    }

    @Test func `an id has no controls`() {
        #expect(
            Signing.refusal(Signing.sso(#"{"id":"a\nb","email":"a@b.c","username":"kim"}"#))?.code == "malformed-sso")
        #expect(Signing.refusal(Signing.sso(#"{"id":"a\u202eb","email":"a@b.c","username":"kim"}"#)) != nil)
    }

    @Test func `a picture may come in the data, up to 50,000 characters`() throws {
        let picture = { (length: Int) in
            let start = "data:image/png;base64,"
            return start + String(repeating: "A", count: length - start.count)
        }
        let changes = try Signing.changes(Signing.user(#""avatar":"\#(picture(50_000))""#))
        #expect(changes?.avatar.applied(to: nil)?.count == 50_000)
        #expect(Signing.refusal(Signing.sso(Signing.user(#""avatar":"\#(picture(50_001))""#)))?.code == "malformed-sso")
    }

    @Test(arguments: [
        "javascript:alert(1)", "//h/a.png", "a.png", "https://h/'onerror='x", "data:text/html,x",
        "data:image/png,\\\"onerror=\\\"x",
        "data:image/svg+xml,<svg>", "",
    ])
    func `an avatar that no browser should load is none`(avatar: String) throws {
        let changes = try Signing.changes(Signing.user(#""avatar":"\#(avatar)""#))
        #expect(changes?.avatar.applied(to: "https://h/old.png") == nil)
    }

    @Test(arguments: [
        "javascript:alert(1)", "example.com", "name@example.com", "http://x.com/?'onmouseover='alert(1)'x='", "",
    ])
    func `a website that is no web address is none`(website: String) throws {
        let changes = try Signing.changes(Signing.user(#""websiteUrl":"\#(website)""#))
        #expect(changes?.websiteURL.applied(to: "https://old") == nil)
    }

    @Test func `up to a hundred groups of up to fifty characters`() throws {
        let groups = { (count: Int, length: Int) in
            let items = (0..<count).map { _ in "\"\(text(length))\"" }.joined(separator: ",")
            return Signing.user(#""groupIds":[\#(items)]"#)
        }
        #expect(try Signing.changes(groups(100, 50))?.groupIDs.applied(to: nil)?.count == 100)
        #expect(Signing.refusal(Signing.sso(groups(101, 1)))?.code == "malformed-sso")
        #expect(Signing.refusal(Signing.sso(groups(1, 51)))?.code == "malformed-sso")
        #expect(
            try Signing.changes(Signing.user(#""groupIds":["a",5,null,""]"#))?.groupIDs.applied(to: nil) == ["a", "5"])
    }

    @Test func `badges are kept as they came, up to 8 KiB`() throws {
        let badges = #"{"badgeIds":["a","b"],"override":true}"#
        let changes = try Signing.changes(Signing.user(#""badgeConfig":\#(badges)"#))
        #expect(changes?.badgeConfig.applied(to: nil) == badges)
        let config = { (bytes: Int) in #"{"a":"\#(String(repeating: "x", count: bytes - 8))"}"# }
        let fits = try Signing.changes(Signing.user(#""badgeConfig":\#(config(8192))"#))
        #expect(fits?.badgeConfig.applied(to: nil)?.utf8.count == 8192)
        let tooLong = try Signing.changes(Signing.user(#""badgeConfig":\#(config(8193))"#))
        #expect(tooLong?.badgeConfig.applied(to: "{}") == nil)
    }

    @Test func `names are stored without markup`() throws {
        let user = #"{"id":"1","email":"a@b.c","username":"<b>Kim</b>\u202e","displayName":"<i>K</i>"}"#
        var person = Person(id: "demo:1", username: "", isSimple: false)
        person.apply(try #require(try Signing.changes(user)), isSimple: false)
        #expect(person.username == "Kim")
        #expect(person.shownName == "K")
    }
}

@Suite struct PersonTests {
    private let full = Signing.user(
        #"""
        "displayName":"K","displayLabel":"Mod","avatar":"https://h/a","websiteUrl":"https://w","groupIds":["g"],
        "isAdmin":true,"isModerator":true,"isProfileActivityPrivate":true,"isProfileCommentsPrivate":true,
        "isProfileDMDisabled":true,"optedInNotifications":true,"optedInSubscriptionNotifications":true,"locale":"en_us",
        "badgeConfig":{"badgeIds":["b"]}
        """#)

    private func person(_ payloads: [String]) throws -> Person {
        var person = Person(id: "demo:1", username: "", isSimple: true)
        for user in payloads { person.apply(try #require(try Signing.changes(user)), isSimple: false) }
        return person
    }

    private func expectFull(_ person: Person) {
        #expect(person.displayName == "K")
        #expect(person.displayLabel == "Mod")
        #expect(person.avatar == "https://h/a")
        #expect(person.websiteURL == "https://w")
        #expect(person.groupIDs == ["g"])
        #expect(person.isAdmin && person.isModerator && person.isStaff)
        #expect(person.isActivityPrivate == true && person.isCommentsPrivate == true)
        #expect(person.isDirectMessagesDisabled == true)
        #expect(person.optedInNotifications == true && person.optedInSubscriptions == true)
        #expect(person.locale == "en_us")
        #expect(person.badgeConfig == #"{"badgeIds":["b"]}"#)
    }

    @Test func `members that are given are taken and absent ones stay`() throws {
        expectFull(try person([full]))
        let later = try person([full, #"{"id":"1","email":"new@b.c","username":"kim li"}"#])
        expectFull(later)
        #expect(later.email == "new@b.c")
        #expect(later.username == "kim li")
        #expect(!later.isSimple)
    }

    @Test func `null clears`() throws {
        let names = [
            "displayName", "displayLabel", "avatar", "websiteUrl", "groupIds", "isAdmin", "isModerator",
            "isProfileActivityPrivate", "isProfileCommentsPrivate", "isProfileDMDisabled", "optedInNotifications",
            "optedInSubscriptionNotifications", "locale", "badgeConfig",
        ]
        let person = try person([full, Signing.user(names.map { #""\#($0)":null"# }.joined(separator: ","))])
        #expect(person.displayName == nil && person.displayLabel == nil && person.avatar == nil)
        #expect(person.websiteURL == nil && person.groupIDs == nil && person.locale == nil && person.badgeConfig == nil)
        #expect(!person.isAdmin && !person.isModerator)
        #expect(person.isActivityPrivate == nil && person.isCommentsPrivate == nil)
        #expect(person.isDirectMessagesDisabled == nil)
        #expect(person.optedInNotifications == nil && person.optedInSubscriptions == nil)
        #expect(person.shownName == "kim")
    }

    @Test func `false revokes and an empty list of groups restricts`() throws {
        let person = try person([full, Signing.user(#""isAdmin":false,"isModerator":false,"groupIds":[]"#)])
        #expect(!person.isStaff)
        #expect(person.groupIDs == [])
    }

    @Test func `either role may moderate`() throws {
        #expect(try person([Signing.user(#""isModerator":true"#)]).isStaff)
        #expect(try person([Signing.user(#""isAdmin":true"#)]).isStaff)
        #expect(!(try person([Signing.user(#""isAdmin":"true""#)]).isStaff))
    }

    @Test func `an unnamed sign-on keeps the name`() throws {
        var person = Person(id: "demo:1", username: "kim", isSimple: true)
        let identity = try #require(try Signing.verifier().verify(#"{"email":"a@b.c"}"#, session: nil))
        person.apply(identity.changes, isSimple: true)
        #expect(person.username == "kim")
    }
}

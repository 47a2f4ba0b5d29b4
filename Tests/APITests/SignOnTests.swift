import Bytes
import Crypto
import JSON
import TestSupport
import Testing

/// The parameter `sso`: what is refused, what counts as not signed in (contract: public 3.1 to 3.3).
@Suite struct SignOnTests {
    private static let day: Int64 = 24 * 3600 * 1000

    @Test(arguments: ["invalid-sso-data", "[]", "null", "\"x\"", "1", "{", "{}{}"])
    func whatIsNoJSONObjectIsRefused(_ token: String) throws {
        let site = try Site()
        let answer = try site.refuses(401, "malformed-sso") { try site.reader().signedOn(token).comments() }
        #expect(answer["reason"] == "SSO Request Malformed")
        try site.refuses(401, "malformed-sso") { try site.reader().signedOn(token).post("Hello") }
    }

    @Test(arguments: [
        "{}", #"{"loginURL":"https://example.com/login"}"#, #"{"loginURL":"a","logoutURL":"b"}"#,
        #"{"userDataJSONBase64":null,"verificationHash":null,"timestamp":1700000000000}"#,
        #"{"userDataJSONBase64":"","verificationHash":"","timestamp":1}"#,
        #"{"userDataJSONBase64":"bnVsbA==","verificationHash":"00","timestamp":1}"#,
        #"{"userDataJSONBase64":"e30=","verificationHash":"00","timestamp":1}"#, #"{"simpleSSOUser":{}}"#,
        #"{"simpleSSOUser":null}"#, "",
    ])
    func aVisitorWhoIsNotSignedInIsNobody(_ token: String) throws {
        let site = try Site()
        let before = try site.rows()
        let page = try site.takes { try site.reader().signedOn(token).comments() }
        #expect(page["user"] == ["authorized": false, "isAnonSession": true, "hasBlockedUsers": false])
        #expect(try site.rows() == before)
    }

    @Test func aSignatureIsGoodForTwoDays() throws {
        let site = try Site()
        let reader = try site.reader()
        let old = site.token(.author, at: SSO.now - 2 * Self.day - 1)
        let answer = try site.refuses(401, "malformed-sso") { try reader.signedOn(old).comments() }
        #expect(answer["reason"]?.string?.contains("two days") == true)
        try site.takes { try reader.signedOn(site.token(.author, at: SSO.now - 2 * Self.day + 20_000)).comments() }
    }

    @Test func clocksMayDifferByFiveMinutes() throws {
        let site = try Site()
        let reader = try site.reader()
        let future = site.token(.author, at: SSO.now + 5 * 60_000 + 20_000)
        let answer = try site.refuses(401, "malformed-sso") { try reader.signedOn(future).comments() }
        #expect(answer["reason"]?.string?.contains("future") == true)
        try site.takes { try reader.signedOn(site.token(.author, at: SSO.now + 5 * 60_000)).comments() }
    }

    @Test func aForgedSignatureIsRefused() throws {
        let site = try Site()
        let other = try Site()
        let reader = try site.reader()
        try site.refuses(401, "malformed-sso") { try reader.signedOn(other.token(.admin)).comments() }
        let good = try #require(try? JSONValue.parse(site.token(.author)).object)
        for (name, value) in [
            ("verificationHash", JSONValue.string(String(repeating: "0", count: 64))), ("verificationHash", "xyz"),
            ("verificationHash", nil), ("verificationHash", 5),
            ("userDataJSONBase64", .string(Base64.encode(Person.admin.data.jsonBytes()))),
            ("userDataJSONBase64", "%%%"), ("userDataJSONBase64", "aGVsbG8="), ("timestamp", 1_700_000_000_000),
            ("timestamp", nil), ("timestamp", "soon"),
        ] {
            var forged = JSONObject()
            for (key, old) in good.members { forged.append(key, key == name ? value : old) }
            let text = String(decoding: JSONValue.object(forged).jsonBytes(), as: UTF8.self)
            try site.refuses(401, "malformed-sso") { try reader.signedOn(text).comments() }
            try site.refuses(401, "malformed-sso") { try reader.signedOn(text).post("Hello") }
        }
    }

    @Test func hashesInCapitalsAndTimestampsAsTextAreTaken() throws {
        let site = try Site()
        let data = Base64.encode(Person.author.data.jsonBytes())
        let now = SSO.now
        let hash = Hex.encode(HMAC.sha256(Array("\(now)\(data)".utf8), key: Array(site.tenant.apiKey.utf8)))
        let token =
            #"{"userDataJSONBase64":"\#(data.replacing("=", with: #"\u003d"#))","#
            + #""verificationHash":"\#(hash.uppercased())","timestamp":"\#(now)"}"#
        let page = try site.takes { try site.reader().signedOn(token).comments() }
        #expect(page["user", "username"] == "author")
    }

    @Test(arguments: ["id", "email", "username"])
    func signedDataWithoutAnIdentityIsRefused(_ name: String) throws {
        let site = try Site()
        for value: JSONValue? in [nil, "", .null] {
            var data = JSONObject()
            for (key, old) in Person.author.data.object?.members ?? [] where key != name || value != nil {
                data.append(key, key == name ? value ?? .null : old)
            }
            let token = Self.signed(.object(data), site)
            try site.refuses(401, "malformed-sso") { try site.reader().signedOn(token).comments() }
        }
    }

    @Test func signedDataOutOfBoundsIsRefused() throws {
        let site = try Site()
        let reader = try site.reader()
        let long = { (count: Int) in String(repeating: "x", count: count) }
        for extras: JSONValue in [
            ["displayName": .string(long(501))], ["displayLabel": .string(long(101))],
            ["websiteUrl": .string("https://" + long(1993))], ["avatar": .string("https://" + long(2993))],
            ["groupIds": .array(Array(repeating: "g", count: 101))], ["groupIds": [.string(long(51))]],
        ] {
            let token = site.token(Person.author.with(extras))
            try site.refuses(401, "malformed-sso") { try reader.signedOn(token).comments() }
        }
        try site.refuses(401, "malformed-sso") {
            try reader.signedOn(site.token(Person("a", username: "a@example.com"))).comments()
        }
        try site.refuses(401, "malformed-sso") { try reader.signedOn(site.token(Person(long(1001)))).comments() }
        try site.refuses(422, "invalid-email") {
            try reader.signedOn(site.token(Person("a", email: "no address"))).comments()
        }
        let fitting: JSONValue = [
            "displayName": .string(long(500)), "displayLabel": .string(long(100)),
            "websiteUrl": .string("https://" + long(1992)), "avatar": .string("https://" + long(2992)),
            "groupIds": .array(Array(repeating: .string(long(50)), count: 100)),
        ]
        try site.takes { try reader.signedOn(site.token(Person.author.with(fitting))).comments() }
    }

    @Test func unsignedDataWithASecureIDIsSomebodyElse() throws {
        let site = try Site()
        let secure = try site.reader(.author)
        let id = try secure.posted("Signed")
        let imposter = SSO.simple(Person("author", username: "Imposter"))
        let bare = String(decoding: Person("author", username: "Imposter").data.jsonBytes(), as: UTF8.self)
        for token in [imposter, bare] {
            let reader = try site.reader().signedOn(token)
            let answer = try site.takes { try reader.comments() }
            #expect(answer["user", "username"] == "Imposter")
            #expect(answer["user", "id"] != .string("\(site.tenant.id):author"))
            #expect(answer["comments", 0, "commenterName"] == .string(Person.author.username))
            try site.refuses(401, "unauthorized") { try reader.edit(id, "Mine") }
        }
    }

    @Test func anIDClaimedBeforeItsOwnerCameIsNotTheOwners() throws {
        let site = try Site()
        let squatter = try site.reader().signedOn(SSO.simple(Person("admin", username: "Squatter")))
        let early = try site.takes { try squatter.post("First") }
        let admin = try site.takes { try site.reader(.admin).comments() }
        #expect(admin["isSiteAdmin"] == true)
        #expect(admin["user", "id"] != early["user", "id"])
        #expect(admin["comments", 0, "userId"] == early["user", "id"])
        #expect(try site.takes { try squatter.comments() }["userIdWS"] != admin["userIdWS"])
        #expect(try site.takes { try squatter.comments() }["isSiteAdmin"] == false)
    }

    @Test func theSameAddressWithoutIDIsSomebodyElse() throws {
        let site = try Site()
        let secure = try site.takes { try site.reader(.author).comments() }
        let token = #"{"simpleSSOUser":{"username":"Copy","email":"author@example.com"}}"#
        let simple = try site.takes { try site.reader().signedOn(token).comments() }
        #expect(simple["user", "id"] != secure["user", "id"])
        #expect(simple["user", "id"]?.string?.contains("@") == false)
        #expect(simple["user", "email"] == "author@example.com")
    }

    @Test func unsignedDataNeverConfersRights() throws {
        let site = try Site()
        let token = SSO.simple(Person("boss", extras: ["isAdmin": true, "isModerator": true, "groupIds": ["g"]]))
        let boss = try site.reader().signedOn(token)
        let page = try site.takes { try boss.comments() }
        #expect(page["isSiteAdmin"] == false)
        #expect(page["user", "groupIds"] == nil)
        let id = try site.reader(.author).posted("Mine")
        try site.refuses(401, "unauthorized") { try boss.mark(id, "pin") }
        let owner = try site.reader().signedOn(SSO.simple(Person("o", email: "owner@fctest.com")))
        #expect(try site.takes { try owner.comments() }["isSiteAdmin"] == false)
    }

    @Test func aTenantMayRefuseUnsignedData() throws {
        let site = try Site(allowsSimpleSSO: false)
        try site.refuses(401, "malformed-sso") {
            try site.reader().signedOn(SSO.simple(.author)).comments()
        }
        try site.takes { try site.reader(.author).comments() }
    }

    @Test func signedDataClaimsAnIDWithoutInheritingWords() throws {
        let site = try Site()
        let squatter = try site.reader().signedOn(SSO.simple(Person("author", username: "Squatter")))
        let id = try squatter.posted("Not the author's words")
        _ = try site.reader().comments()
        let author = try site.reader(.author)
        let page = try site.takes { try author.comments() }
        #expect(page["comments", 0, "userId"] != page["user", "id"])
        #expect(page["comments", 0, "commenterName"] == "Squatter")
        #expect(try site.reader().comments()["comments", 0, "userId"] == page["comments", 0, "userId"])
        try site.refuses(401, "unauthorized") { try author.delete(id) }
    }

    @Test(arguments: ["/comments/nobody-here", "/event-log/nobody-here", "/user-search/nobody-here"])
    func anUnknownTenantIsNotFound(_ path: String) throws {
        let answer = try SeededServer.shared().client().request(
            "GET", path, ["urlId": "page", "startTime": "0", "sso": SSO.simple(.author)])
        #expect(answer.status == 404)
        #expect(answer.code == "invalid-tenant")
    }

    private static func signed(_ data: JSONValue, _ site: Site) -> String {
        let data = Base64.encode(data.jsonBytes())
        let now = SSO.now
        let hash = Hex.encode(HMAC.sha256(Array("\(now)\(data)".utf8), key: Array(site.tenant.apiKey.utf8)))
        return #"{"userDataJSONBase64":"\#(data)","verificationHash":"\#(hash)","timestamp":\#(now)}"#
    }
}

import JSON
import TestSupport
import Testing

/// Who reacts when nobody signed on (contract: public 15).
@Suite struct PageReactIdentityTests {
    private static func agent(_ name: String) -> [(String, String)] { [("user-agent", name)] }

    private static func cookie(_ answer: Answer) -> String? {
        answer.header("set-cookie").map { String($0.prefix { $0 != ";" }) }
    }

    @Test func aClientWithoutCookiesFindsItsReactionAgain() throws {
        let site = try Site()
        let (first, again) = (try site.reader(), try site.reader())
        #expect(try first.reacts(headers: Self.agent("A"))["counts"] == nil)
        try site.takes { try first.reactToPage("love", headers: Self.agent("A")) }
        let seen = try again.reacts(headers: Self.agent("A"))
        #expect(seen["counts"] == ["love": 1] && seen["reactedIds"] == ["love"])
        #expect(seen.header("set-cookie") == nil)
        let other = try again.reacts(headers: Self.agent("B"))
        #expect(other["counts"] == ["love": 1] && other["reactedIds"] == nil)
        #expect(try again.reactToPage("love", headers: Self.agent("A")).code == "already-reacted")
        try site.takes { try again.unreact("love", headers: Self.agent("A")) }
        #expect(try first.reacts(headers: Self.agent("A"))["counts"] == nil)
        #expect(try site.rows().allSatisfy { !$0.contains("127.0.0.1") })
    }

    @Test func aCookieKeepsTheVisitorWhereverTheyGo() throws {
        let site = try Site(on: .proxied())
        let reader = try site.reader()
        let home = [("x-forwarded-for", "192.0.2.1")]
        let liked = try site.takes { try reader.like(headers: home) }
        let cookie = try #require(Self.cookie(liked))
        let abroad = [("x-forwarded-for", "192.0.2.2")]
        #expect(try reader.likes(headers: abroad)["didLike"] == false)
        #expect(try reader.likes(headers: abroad + [("cookie", "other=1; " + cookie)])["didLike"] == true)
        let again = try site.takes { try reader.like(headers: abroad + [("cookie", cookie)]) }
        #expect(again.code == "already-liked" && again.header("set-cookie") == nil)
        #expect(try reader.likes()["likeCount"] == 1)
    }

    @Test func aForgedCookieIsNobodys() throws {
        let site = try Site()
        let reader = try site.reader()
        let cookie = try #require(Self.cookie(try site.takes { try reader.like(headers: Self.agent("A")) }))
        for forged in [cookie + "0", String(cookie.dropLast()), "parley.visitor.\(site.tenant.id)=x"] {
            #expect(try reader.likes(headers: Self.agent("B") + [("cookie", forged)])["didLike"] == false)
        }
        let other = try Site()
        let theirs = cookie.split(separator: "=")[1]
        let elsewhere = [("cookie", "parley.visitor.\(other.tenant.id)=\(theirs)")]
        try other.takes { try other.reader().like(headers: Self.agent("A")) }
        #expect(try other.reader().likes(headers: Self.agent("B") + elsewhere)["didLike"] == false)
    }

    @Test func theCookieIsForScriptsOfNobodyAndForOtherSitesOverTLSOnly() throws {
        let site = try Site(on: .proxied())
        let reader = try site.reader()
        let plain = try #require(try reader.like().header("set-cookie"))
        #expect(plain.hasSuffix("; Path=/page-reacts; Max-Age=31536000; HttpOnly; SameSite=Lax"))
        let secure = try #require(
            try reader.like(headers: [("x-forwarded-proto", "https")]).header("set-cookie"))
        #expect(secure.hasSuffix("; Path=/page-reacts; Max-Age=31536000; HttpOnly; SameSite=None; Secure"))
        let direct = try Site()
        let claimed = try direct.reader().like(headers: [("x-forwarded-proto", "https")]).header("set-cookie")
        #expect(claimed?.hasSuffix("SameSite=Lax") == true)
    }

    @Test func somebodySignedOnIsThatPersonWhateverTheCookie() throws {
        let site = try Site()
        let cookie = try #require(Self.cookie(try site.takes { try site.reader().like() }))
        let author = try site.reader(.author)
        #expect(try author.likes(headers: [("cookie", cookie)])["didLike"] == false)
        let liked = try site.takes { try author.like(headers: [("cookie", cookie)]) }
        #expect(liked.code == nil && liked.header("set-cookie") == nil)
        #expect(try author.likes()["likeCount"] == 2)
    }

    @Test func aGuestsSessionIsThatGuest() throws {
        let site = try Site()
        let reader = try site.reader()
        let comment = try site.takes { try reader.post("Hello", extras: guestExtras) }
        let session: QueryItems = ["sessionId": comment["user", "sessionId"]?.string]
        let liked = try site.takes { try reader.like(session) }
        #expect(liked.header("set-cookie") == nil)
        #expect(try reader.likes(session)["didLike"] == true)
        #expect(try reader.likes()["didLike"] == false)
        let guest = try #require(comment["user", "id"]?.string)
        #expect(try site.rows().contains { $0.hasPrefix("page_react|") && $0.contains("|\(guest)|") })
    }
}

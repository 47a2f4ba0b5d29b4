import HTTP1
import Testing

@Suite struct QueryTests {
    @Test func pairsAreDecodedAndKeepTheirOrder() throws {
        let query = try #require(Query(raw: "a=1&b=%C3%A9&a=2&c&=x&&d=e=f", plusIsSpace: false))
        #expect(query["a"] == "1")
        #expect(query.all("a") == ["1", "2"])
        #expect(query["b"] == "é")
        #expect(query["c"] == "")
        #expect(query[""] == "x")
        #expect(query["d"] == "e=f")
        #expect(query["missing"] == nil)
        #expect(query.map(\.name) == ["a", "b", "a", "c", "", "d"])
    }

    @Test func aPlusIsASpaceWhenTheClientWritesForms() {
        #expect(Query(raw: "a+b=c+d", plusIsSpace: true)?["a b"] == "c d")
        #expect(Query(raw: "a+b=c+d", plusIsSpace: false)?["a+b"] == "c+d")
    }

    @Test func separatorsMayBeEscaped() {
        #expect(Query(raw: "a%3Db=%26", plusIsSpace: false)?["a=b"] == "&")
    }

    @Test(arguments: ["a=%ff", "%ff=a", "a=1&b=%C3"])
    func textThatIsNotUTF8IsRefused(_ raw: String) {
        #expect(Query(raw: raw, plusIsSpace: false) == nil)
    }

    @Test(arguments: ["", "&", "&&&"])
    func nothingIsEmpty(_ raw: String) {
        #expect(Query(raw: raw, plusIsSpace: false)?.isEmpty == true)
    }
}

import HTTP1
import Testing

@Suite struct HeaderFieldsTests {
    @Test func namesAreFoldedAndValuesKept() {
        var fields = HeaderFields()
        fields.add("Set-Cookie", "A=b")
        fields.add("set-cookie", "C=d")
        fields.add("ETag", "")
        #expect(fields.count == 3)
        #expect(fields["set-cookie"] == "A=b")
        #expect(fields.all("set-cookie") == ["A=b", "C=d"])
        #expect(fields["etag"] == "")
        #expect(fields["etags"] == nil)
        #expect(fields.map(\.name) == ["set-cookie", "set-cookie", "etag"])
    }

    @Test(arguments: ["a\r\nb", "a\n", "\rb", "a\0", "\u{7F}"])
    func valuesThatWouldBreakTheMessageAreNotAdded(_ value: String) {
        var fields = HeaderFields()
        let added = fields.add("location", value)
        #expect(!added)
        #expect(fields.count == 0)
        fields.add("location", "/")
        let replaced = fields.set("location", value)
        #expect(!replaced)
        #expect(fields.all("location") == ["/"])
    }

    @Test(arguments: ["", "a b", "a:", "a\r\n", "é", "(a)"])
    func namesThatAreNoTokensAreNotAdded(_ name: String) {
        var fields = HeaderFields()
        let added = fields.add(name, "x")
        #expect(!added)
    }

    @Test func settingReplacesAllOfTheName() {
        var fields: HeaderFields = ["A": "1", "B": "2", "a": "3"]
        let replaced = fields.set("A", "4")
        #expect(replaced)
        #expect(fields.map { "\($0.name)=\($0.value)" } == ["b=2", "a=4"])
    }

    @Test func listsAreSearchedByWholeTokens() {
        let fields: HeaderFields = ["vary": "accept, Origin", "vary": "x"]
        #expect(fields.contains("origin", inListOf: "vary"))
        #expect(fields.contains("X", inListOf: "vary"))
        #expect(!fields.contains("orig", inListOf: "vary"))
        #expect(!fields.contains("origin", inListOf: "allow"))
    }
}

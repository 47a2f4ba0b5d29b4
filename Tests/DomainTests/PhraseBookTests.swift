import Domain
import Testing

@Suite struct PhraseBookTests {
    @Test(arguments: Phrase.allCases)
    func `every phrase is a sentence`(phrase: Phrase) {
        let text = PhraseBook.text(phrase, detail: "7")
        #expect(text.hasSuffix("."))
        #expect(!text.contains("{"))
    }

    @Test func `the detail fills the gap as it is`() {
        #expect(PhraseBook.text(.commentTooBig, detail: "2000").contains(" 2000 "))
        #expect(PhraseBook.text(.linkNotAllowed, detail: "{}") == "Links to {} are not allowed here.")
        #expect(PhraseBook.text(.commentLocked, detail: "x") == "This comment is locked.")
    }
}

@Suite struct APIErrorTests {
    @Test func `the unforeseen tells the client nothing`() {
        let error = APIError.internal("disk 7 on fire")
        #expect(error.status == 500)
        #expect(error.code == "internal-error")
        #expect(!error.reason.contains("disk"))
        #expect(error.detail == "disk 7 on fire")
        #expect(error.reroute == nil)
    }

    @Test func `a store that cannot write says when to come back`() {
        let error = APIError.unavailable("full")
        #expect(error.status == 503)
        #expect(error.retryAfter == 2)
    }

    @Test func `reroutes are not refusals`() {
        #expect(APIError.needsWrite.reroute == .write)
        #expect(APIError.needsOffload.reroute == .offload)
        #expect(APIError.malformedSSO().reroute == nil)
    }

    @Test func `a sign-on that cannot be accepted has the words that clients compare`() {
        let error = APIError.malformedSSO()
        #expect(error.status == 401)
        #expect(error.code == "malformed-sso")
        #expect(error.reason == "SSO Request Malformed")
    }
}

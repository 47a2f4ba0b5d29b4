import Domain
import Testing

@Suite("What the spam filter makes of texts")
struct SpamModelTests {
    private static let nothing = SpamCount(spam: 0, ham: 0)
    private static let model = SpamModel(lines: Array("; x\ncasino\t300\t2\nthanks\t10\t200\nbroken\n".utf8))

    @Test("words, hosts and looks are features, each once and at most so many")
    func features() {
        let features = SpamFeatures.of("BUY buy Vi\u{200B}agra! https://Cheap.Example.XYZ/a €5")
        for expected in [
            "buy", "viagra", "buy viagra", "host:cheap.example.xyz", "tld:xyz", "#links1", "#money", "#hidden",
        ] {
            #expect(features.contains(expected), "\(expected)")
        }
        #expect(Set(features).count == features.count)
        let long = (0..<5000).map { "word\($0)" }.joined(separator: " ")
        #expect(SpamFeatures.of(long).count == SpamFeatures.limit)
        #expect(SpamFeatures.of("").allSatisfy { $0 == "#short" })
    }

    @Test("disguised words are the words")
    func disguise() {
        #expect(SpamFeatures.of("сasino").contains("casino"))
        #expect(SpamFeatures.of("c@sin0").contains("casino"))
    }

    @Test("what says nothing leaves the odds, what says much moves them, no more than so far")
    func odds() {
        let base = Self.model.logOdds(["unknown"], total: Self.nothing)
        #expect(base < 0)
        #expect(Self.model.logOdds(["casino"], total: Self.nothing) > base + 1)
        #expect(Self.model.logOdds(["casino"], total: Self.nothing) <= base + 2.5)
        #expect(Self.model.logOdds(["thanks"], total: Self.nothing) < base - 1)
        #expect(Self.model.logOdds(["broken"], total: Self.nothing) == base)
    }

    @Test("a tenant's marks outweigh what the program came with")
    func marks() {
        let counts = ["casino": SpamCount(spam: 0, ham: 30)]
        #expect(
            Self.model.logOdds(["casino"], counts: counts, total: SpamCount(spam: 5, ham: 30))
                < Self.model.logOdds([], total: Self.nothing))
    }

    @Test("one-sided marks do not condemn what was never seen")
    func oneSided() {
        let total = SpamCount(spam: 500, ham: 0)
        #expect(Self.model.logOdds(["a", "b", "c"], total: total) < 0)
    }

    @Test("the shipped model knows the usual spam and leaves everyday comments alone")
    func shipped() {
        func odds(_ text: String) -> Double {
            SpamModel.shipped.logOdds(SpamFeatures.of(text), total: Self.nothing)
        }
        #expect(
            odds("Earn $500 per day from home, no experience needed, free casino bonus https://win-big.top/x")
                >= SpamModel.threshold)
        for honest in [
            "I disagree, see https://en.wikipedia.org/wiki/Bread for the history of it.",
            "Thanks @Maria, that fixed it for me. More at https://github.com/x/y/issues/3",
            "Hello https://example.com", "Text 1 https://example.org/page",
        ] {
            #expect(odds(honest) < SpamModel.threshold - 2, "\(honest)")
        }
    }

    @Test("nearly the same words are a repetition, others and short texts are not")
    func repetition() {
        let text = "I think that this is the best article about bread I ever read"
        #expect(Similarity.isNearRepetition(text + "!!", of: text))
        #expect(Similarity.isNearRepetition("I thlnk that this is THE best article about bread I ever read", of: text))
        #expect(
            !Similarity.isNearRepetition("I think that this is the worst post about trains you ever wrote", of: text))
        #expect(!Similarity.isNearRepetition("Hello you", of: "Hello you all"))
        #expect(Similarity.isNearRepetition("I think that this is the best artcle about bread I ever read", of: text))
        #expect(!Similarity.isNearRepetition("Chapter 2: " + text, of: "Chapter 1: " + text))
        #expect(!Similarity.isNearRepetition("Never " + text, of: text))
    }

    @Test("who waits for approval")
    func approval() throws {
        func shows(_ keys: String, verified: Bool, known: Bool) throws -> Bool {
            try ModerationSettings(parsing: keys).approves(isVerified: verified) { () throws -> Bool in known }
        }
        #expect(try shows("{}", verified: false, known: false))
        #expect(try !shows(#"{"commentsRequireApproval":true}"#, verified: true, known: true))
        let verified = #"{"commentsRequireApproval":true,"autoApproveCommentOnVerification":true}"#
        #expect(try shows(verified, verified: true, known: false))
        #expect(try !shows(verified, verified: false, known: true))
        let known = #"{"onlyAutoApproveApprovedUsers":true}"#
        #expect(try shows(known, verified: false, known: true))
        #expect(try !shows(known, verified: true, known: false))
    }
}

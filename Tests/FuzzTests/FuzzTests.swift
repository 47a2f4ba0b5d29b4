import FuzzBodies
import Testing

/// Replays what fuzzing has found, and a fixed number of mutations of it, so that no build needs a fuzzer to notice that
/// an old input breaks again.
@Suite struct FuzzTests {
    struct Subject: CustomTestStringConvertible {
        var name: String
        var run: @Sendable ([UInt8]) -> Void
        var testDescription: String { name }
    }

    /// One line for each fuzz body; the name is its folder in the corpus.
    static let subjects = [
        Subject(name: "http1", run: HTTP1Fuzz.run),
        Subject(name: "answer", run: AnswerFuzz.run),
        Subject(name: "websocket", run: WebSocketFuzz.run),
        Subject(name: "sso", run: SSOFuzz.run),
        Subject(name: "pageidentity", run: PageIdentityFuzz.run),
        Subject(name: "json", run: JSONFuzz.run),
        Subject(name: "richtext", run: RichTextFuzz.run),
        Subject(name: "multipart", run: MultipartFuzz.run),
        Subject(name: "imageprobe", run: ImageProbeFuzz.run),
    ]

    @Test(arguments: subjects)
    func theCorpusHolds(_ subject: Subject) throws {
        let corpus = try Corpus.load(subject.name)
        #expect(corpus.count >= 30)
        for input in corpus { subject.run(input) }
    }

    @Test(arguments: subjects)
    func mutationsOfTheCorpusHold(_ subject: Subject) throws {
        let corpus = try Corpus.load(subject.name)
        var mutator = Mutator(seed: 20_260_101)
        for _ in 0..<4000 { subject.run(mutator.mutate(corpus)) }
    }

    @Test func mutationsRepeatWithTheirSeed() throws {
        let corpus = try Corpus.load("http1")
        var first = Mutator(seed: 1)
        var second = Mutator(seed: 1)
        var other = Mutator(seed: 2)
        let inputs = (0..<50).map { _ in first.mutate(corpus) }
        #expect(inputs == (0..<50).map { _ in second.mutate(corpus) })
        #expect(inputs != (0..<50).map { _ in other.mutate(corpus) })
    }
}

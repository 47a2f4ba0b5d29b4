import FuzzBodies
import Testing

/// Replays what fuzzing has found, and a fixed number of mutations of it, so that no build needs a fuzzer to notice that
/// an old input breaks again.
@Suite struct FuzzTests {
    @Test(arguments: FuzzSubject.all)
    func theCorpusHolds(_ subject: FuzzSubject) throws {
        let corpus = try Corpus.load(subject.name.lowercased())
        #expect(corpus.count >= 30)
        for input in corpus { subject.run(input) }
    }

    @Test(arguments: FuzzSubject.all)
    func mutationsOfTheCorpusHold(_ subject: FuzzSubject) throws {
        let corpus = try Corpus.load(subject.name.lowercased())
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

extension FuzzSubject: CustomTestStringConvertible {
    package var testDescription: String { name }
}

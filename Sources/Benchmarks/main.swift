// benchmarks [part of a name …], or benchmarks spam-seed to print the model that the filter begins with
let filters = CommandLine.arguments.dropFirst()
if filters == ["spam-seed"] {
    SpamBenchmarks.printSeed()
} else {
    let all =
        StorageBenchmarks.all + SearchBenchmarks.all + RichTextBenchmarks.all + TranslationBenchmarks.all
        + SpamBenchmarks.all
    for benchmark in all where filters.isEmpty || filters.contains(where: { benchmark.name.contains($0) }) {
        try benchmark.measure()
    }
}

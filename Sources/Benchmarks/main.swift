// benchmarks [part of a name …]
let filters = CommandLine.arguments.dropFirst()
for benchmark in StorageBenchmarks.all + SearchBenchmarks.all + RichTextBenchmarks.all + TranslationBenchmarks.all {
    guard filters.isEmpty || filters.contains(where: { benchmark.name.contains($0) }) else { continue }
    try benchmark.measure()
}

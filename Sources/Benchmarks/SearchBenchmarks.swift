import Domain
import Glibc
import Storage

/// The index of words over 200,000 comments of 25 words, on 6,667 pages and on one.
enum SearchBenchmarks {
    static var all: [Benchmark] {
        [
            inserting("search/comment without words", false), inserting("search/comment with words", true),
            Benchmark("search/cut a comment of 150 letters", operations: 20_000) { measure in
                let text = words(1).joined(separator: " ")
                try measure { count in
                    for _ in 1...count { precondition(!SearchText.indexed(text).isEmpty) }
                }
            },
        ] + searching("6667 pages", pages: 6667, operations: 200) + searching("1 page", pages: 1, operations: 5)
    }

    private static let total = 200_000

    private static func inserting(_ name: String, _ hasWords: Bool) -> Benchmark {
        Benchmark(name, operations: 20_000) { measure in
            try withStore { store in
                var next = 0
                try measure { count in
                    let range = next..<(next + count)
                    next += count
                    try insert(range, pages: 6667, hasWords: hasWords, into: store)
                }
            }
        }
    }

    private static func searching(_ place: String, pages: Int, operations: Int) -> [Benchmark] {
        let queries = [("a common word", "w0"), ("a rare word", "w9000"), ("two letters", "w1"), ("one letter", "w")]
        return [
            Benchmark("search/\(place)", operations: operations) { _ in
                try withStore { store in
                    try insert(0..<total, pages: pages, hasWords: true, into: store)
                    for (name, text) in queries {
                        let benchmark = Benchmark("search/\(place): \(name)", operations: operations) { measure in
                            let lane = try store.makeReadLane()
                            try measure { try search(text, times: $0, pages: pages, lane) }
                        }
                        try benchmark.measure()
                    }
                }
            }
        ]
    }

    private static func search(_ text: String, times: Int, pages: Int, _ lane: ReadLane) throws {
        guard let query = SearchQuery(text) else { return }
        for index in 1...times {
            let expression = "place : \"p\(index % pages)\" AND words : (\(query.expression))"
            _ = try lane.read(budgetMilliseconds: 10_000) { session throws(APIError) in
                try session.query(
                    "SELECT rowid FROM comment_search WHERE comment_search MATCH ?1", .text(expression)
                ) { $0.int64(0) }
            }
        }
    }

    private static func insert(_ range: Range<Int>, pages: Int, hasWords: Bool, into store: Store) throws {
        var start = range.lowerBound
        while start < range.upperBound {
            // As the writer commits a queue of posts, each a unit of its own.
            let batch = start..<min(start + 64, range.upperBound)
            let last = batch.upperBound - 1
            for index in batch.dropLast() {
                store.writer.submit { session throws(APIError) in
                    try insert(index, pages: pages, hasWords: hasWords, in: &session)
                } completion: { _ in
                }
            }
            try store.writer.perform { session throws(APIError) in
                try insert(last, pages: pages, hasWords: hasWords, in: &session)
            }
            start = batch.upperBound
        }
    }

    private static func insert(
        _ index: Int, pages: Int, hasWords: Bool, in session: inout Session
    ) throws(APIError) {
        let text = words(index).joined(separator: " ")
        try session.run(
            "INSERT INTO benchmark_comment (seq, page, text) VALUES (?1, ?2, ?3)",
            .int(index + 1), .int(index % pages), .text(text))
        guard hasWords else { return }
        try session.run(
            "INSERT INTO comment_search (rowid, place, words) VALUES (?1, 'p' || ?2, ?3)",
            .int(index + 1), .int(index % pages), .text(text))
    }

    /// 25 words, a few of them in most comments, as in a language.
    private static func words(_ index: Int) -> [String] {
        var state = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<25).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let fraction = Double(state % 1_000_000) / 1_000_000
            return "w\(Int(pow(30_000, fraction)) - 1)"
        }
    }

    private static func withStore(_ body: (Store) throws -> Void) throws {
        let parent = getenv("PARLEY_BENCHMARK_FOLDER").map { String(cString: $0) } ?? "/var/tmp"
        let folder = parent + "/parley-search-\(getpid())"
        let store = try Store.open(folder: folder)
        defer {
            store.close()
            for name in ["parley.db", "parley.db-wal", "parley.db-shm", "parley.lock"] { unlink(folder + "/" + name) }
            rmdir(folder)
        }
        try store.writer.perform { session throws(APIError) in
            try session.run("CREATE TABLE benchmark_comment (seq INTEGER PRIMARY KEY, page INTEGER, text TEXT)")
        }
        try body(store)
    }
}

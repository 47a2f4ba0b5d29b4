import Domain
import Glibc

/// What judging a text costs, and how often the filter is right.
enum SpamBenchmarks {
    static var all: [Benchmark] {
        let comments = corpus(.judging, 200)
        return [
            Benchmark("spam/quality", operations: 1) { _ in Quality.report() },
            Benchmark("spam/features of a comment", operations: 2000) { measure in
                try measure { count in
                    for index in 0..<count { precondition(!SpamFeatures.of(text(comments, index)).isEmpty) }
                }
            },
            Benchmark("spam/score by the shipped model", operations: 2000) { measure in
                let features = comments.map { SpamFeatures.of($0.text) }
                let total = SpamCount(spam: 0, ham: 0)
                try measure { count in
                    for index in 0..<count {
                        _ = SpamModel.shipped.logOdds(features[index % features.count], total: total)
                    }
                }
            },
            Benchmark("spam/profane words in a comment", operations: 2000) { measure in
                let lists = [WordList.shipped(for: "en")]
                try measure { count in
                    for index in 0..<count {
                        _ = WordList.found(in: text(comments, index), lists, excepting: WordList([]))
                    }
                }
            },
        ]
    }

    private static func text(_ comments: [LabelledComment], _ index: Int) -> String {
        comments[index % comments.count].text
    }

    fileprivate static func corpus(_ templates: SpamTemplates, _ count: Int) -> [LabelledComment] {
        var corpus = SpamCorpus(templates, seed: 7)
        return corpus.comments(count)
    }

    /// The model that comes with the program, as `Sources/Domain/Moderation/SpamSeed.txt`: of comments made from the
    /// sentences for learning, the features that many have and that tell the kinds apart.
    static func printSeed() {
        let comments = corpus(.learning, 1500)
        var counts: [String: (spam: Int, ham: Int)] = [:]
        for comment in comments {
            for feature in SpamFeatures.of(comment.text) {
                counts[feature, default: (0, 0)].spam += comment.isSpam ? 1 : 0
                counts[feature, default: (0, 0)].ham += comment.isSpam ? 0 : 1
            }
        }
        var lines = [
            "; feature, thousandths of spam and of honest comments that have it: made by `benchmarks spam-seed`"
        ]
        let kinds = comments.count / 2
        for (feature, count) in counts.sorted(by: { $0.key < $1.key }) where tells(count, feature) {
            lines.append("\(feature)\t\(count.spam * 1000 / kinds)\t\(count.ham * 1000 / kinds)")
        }
        print(lines.joined(separator: "\n"))
    }

    /// Names, hosts and what few comments have would only be learned by heart.
    private static func tells(_ count: (spam: Int, ham: Int), _ feature: String) -> Bool {
        guard count.spam + count.ham >= 12, !feature.hasPrefix("host:"),
            feature.split(separator: " ").allSatisfy({ !accidental.contains(String($0)) })
        else { return false }
        let ratio = Double(count.spam + 3) / Double(count.ham + 3)
        return ratio > 1.8 || ratio < 1 / 1.8
    }

    /// Words that are in the comments for learning because something had to be.
    private static let accidental: Set<String> = {
        let gaps = SpamTemplates.learning.fillings
        let hosts = (gaps["bad"] ?? []) + (gaps["good"] ?? [])
        let labels = hosts.compactMap { $0.split(separator: ".").first.map(String.init) }
        return Set((labels + (gaps["name"] ?? []) + (gaps["number"] ?? [])).map(FoldedWord.fold))
    }()
}

/// How often the filter is right about comments that it never saw.
private enum Quality {
    static func report() {
        let known = SpamBenchmarks.corpus(.learning, 400)
        let unknown = SpamBenchmarks.corpus(.judging, 400)
        let marks = SpamBenchmarks.corpus(.judging, 60)
        line("shipped model, sentences for learning", known, Taught([]))
        line("shipped model, other sentences", unknown, Taught([]))
        for count in [5, 20, 60] {
            // Marks are of other comments than those that are judged, from the same sentences: a site gets the same spam.
            let taught = Taught(Array(marks.suffix(2 * count)))
            line("and \(count) marks of either kind", Array(unknown.dropFirst(120)), taught)
        }
    }

    private static func line(_ name: String, _ comments: [LabelledComment], _ taught: Taught) {
        var (hits, falseAlarms, misses) = (0, 0, 0)
        for comment in comments {
            let isFound = taught.logOdds(comment.text) >= SpamModel.threshold
            if isFound {
                if comment.isSpam { hits += 1 } else { falseAlarms += 1 }
            } else if comment.isSpam {
                misses += 1
            }
        }
        let precision = Double(hits) / Double(max(1, hits + falseAlarms))
        let recall = Double(hits) / Double(max(1, hits + misses))
        print("spam/quality: \(name): precision \(rounded(precision)), recall \(rounded(recall)) of \(comments.count)")
    }

    private static func rounded(_ share: Double) -> Double { (share * 1000).rounded() / 1000 }

    /// What moderators would have taught.
    private struct Taught {
        private var counts: [String: SpamCount] = [:]
        private var total = SpamCount(spam: 0, ham: 0)

        init(_ comments: [LabelledComment]) {
            for comment in comments {
                let (spam, ham) = comment.isSpam ? (1.0, 0.0) : (0.0, 1.0)
                total = SpamCount(spam: total.spam + spam, ham: total.ham + ham)
                for feature in SpamFeatures.of(comment.text) {
                    let old = counts[feature] ?? SpamCount(spam: 0, ham: 0)
                    counts[feature] = SpamCount(spam: old.spam + spam, ham: old.ham + ham)
                }
            }
        }

        func logOdds(_ text: String) -> Double {
            SpamModel.shipped.logOdds(SpamFeatures.of(text), counts: counts, total: total)
        }
    }
}

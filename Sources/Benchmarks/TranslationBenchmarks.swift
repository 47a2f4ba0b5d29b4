import Domain
import Translations

/// What languages cost: nothing that a reader would notice.
enum TranslationBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark("translations/language of a locale", operations: 200_000) { measure in
                try measure { times in
                    for _ in 0..<times { _ = Language(locale: "pt_br") }
                }
            },
            Benchmark("translations/Accept-Language of a browser", operations: 50_000) { measure in
                try measure { times in
                    for _ in 0..<times { _ = Language(acceptLanguage: "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5") }
                }
            },
            Benchmark("translations/a sentence with its detail", operations: 100_000) { measure in
                let wording = Wording.of(.german)
                try measure { times in
                    for _ in 0..<times { _ = wording.sentence(.commentTooBig, detail: "2000") }
                }
            },
            Benchmark("translations/all labels, two of them changed", operations: 5000) { measure in
                let wording = Wording.of(.german)
                try measure { times in
                    for _ in 0..<times { _ = wording.labelsJSON(changedBy: ["CANCEL": "Nein", "REPLY": "Ja"]) }
                }
            },
        ]
    }
}

import Domain
import Testing

@Suite("Words that are masked")
struct WordListTests {
    private func found(_ text: String, _ locale: String = "en", excepting exceptions: [String] = []) -> [String] {
        WordList.found(in: text, [.shipped(for: locale)], excepting: WordList(exceptions)).map {
            String(text[$0.range])
        }
    }

    @Test(
        "whole words are found, however they are dressed up",
        arguments: [
            "shit", "SHIT", "Shit", "sh\u{200B}it", "shiiiiit", "sh1t", "$hit", "ѕhіt", "ｓｈｉｔ", "𝓼𝓱𝓲𝓽", "ⓢⓗⓘⓣ", "shít",
            "s h i t", "s.h.i.t", "f-u-c-k", "fucking", "FUUUCK",
        ])
    func disguised(word: String) {
        #expect(found("so \(word), he said") == [word])
        #expect(found(word) == [word])
    }

    @Test(
        "parts of other words are left alone",
        arguments: [
            "Scunthorpe", "classic", "assume", "pass", "Penistone", "shiitake", "cockpit", "Dickens", "analysis", "as",
            "grass", "therapist", "a s a p", "title", "cumulus", "Matsushita", "5$", "a@b.example", "@shit said",
            "https://example.com/shit", "www.shit.example",
        ])
    func innocent(text: String) { #expect(found(text).isEmpty) }

    @Test("each language has words of its own")
    func languages() {
        #expect(found("Das ist Scheiße", "de_de") == ["Scheiße"])
        #expect(found("Das Buch ist dick", "de").isEmpty)
        #expect(found("qué mierda", "es_es") == ["mierda"])
        #expect(
            found("hijo  de   puta", "es") == ["puta", "hijo  de   puta"] || found("hijo  de   puta", "es").count == 2)
        #expect(found("quelle merde", "fr_fr") == ["merde"])
        #expect(found("che cazzo", "it_it") == ["cazzo"])
        #expect(found("que porra", "pt_br") == ["porra"])
        #expect(found("shit", "ja_jp") == ["shit"])
    }

    @Test("a tenant's exceptions are left alone, a star among them counts")
    func exceptions() {
        #expect(found("fucking shit", excepting: ["fuck*"]) == ["shit"])
        #expect(found("shit", excepting: ["SHIT"]).isEmpty)
    }

    @Test(
        "stars stand for letters and are stars to Markdown, too",
        arguments: [
            ("this is shit.", "this is ****."), ("shit", #"\*\*\*\*"#), ("shit shit", #"\*\*\*\* \*\*\*\*"#),
            ("shit happens", "**** happens"), ("(shit)", #"(\*\*\*\*)"#), ("a\nshit\nb", "a\n\\*\\*\\*\\*\nb"),
            ("sh\u{200B}it happens", "***** happens"), ("no", "no"),
        ])
    func masking(text: String, masked: String) {
        let words = WordList.found(in: text, [.shipped(for: "en")], excepting: WordList([]))
        #expect(text.masking(words) == masked)
        #expect(!text.starring(words).contains("\\"))
    }

    @Test("folding what is folded changes nothing, and no text breaks it")
    func fuzz() {
        var random = SeededGenerator(seed: 24)
        let pool: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x590...0x6FF, 0x900...0x97F, 0x1100...0x11FF,
            0x2000...0x206F, 0x2460...0x24FF, 0x3040...0x30FF, 0xAC00...0xAC7F, 0xFE00...0xFF9F, 0x1D400...0x1D7FF,
            0x1F100...0x1F64F, 0x1E00...0x1EFF, 0xE0001...0xE007F,
        ]
        let parts = ["shit", "fuck ", " @a ", "://", "www.", "\n", "$", "!", "s h i t", "e\u{301}", "İ", "ß"]
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<(random.next() % 24) {
                let range = pool[Int(random.next() % UInt64(pool.count))]
                let value = range.lowerBound + UInt32(random.next() % UInt64(range.count))
                if random.next() % 4 == 0 {
                    text += parts[Int(random.next() % UInt64(parts.count))]
                } else if let scalar = Unicode.Scalar(value) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let folded = FoldedWord.fold(text)
            #expect(FoldedWord.fold(folded) == folded, "\(text.debugDescription)")
            let words = WordList.found(in: text, [.shipped(for: "en")], excepting: WordList([]))
            let masked = text.masking(words)
            let left = WordList.found(in: masked, [.shipped(for: "en")], excepting: WordList([]))
            #expect(left.isEmpty, "\(text.debugDescription)")
            _ = SpamFeatures.of(text)
        }
    }
}

import Domain
import Testing

/// How text is cut for searching.
@Suite struct SearchTextTests {
    @Test(arguments: [
        ("Crème BRÛLÉE", "creme brulee"), ("don't stop-me_now", "don t stop me now"),
        ("C++ & C#: 3.14%", "c c 3 14"), ("Straße ÆON Łódź", "strasse aeon lodz"), ("e\u{301}te\u{301}", "ete"),
        ("Ёлка Йод", "елка иод"), ("ΟΔΟΣ", "οδοσ"), ("ＡＢＣ１２３", "abc123"), ("soft\u{AD}hyphen", "softhyphen"),
        ("東京都", "東京 京都 都"), ("東", "東"), ("カタカナ・語", "カタ タカ カナ ナ 語"), ("が", "が"), ("か", "か"),
        ("iPhone手机", "iphone 手机 机"), ("서울에서", "서울 울에 에서 서"), ("ไทย", "ไท ทย ย"),
        ("كِتَابٌ", "كتاب"), ("الكتاب", "كتاب"), ("والكتاب", "كتاب"), ("مدرسة", "مدرسه"), ("٢٠٢٦", "2026"),
        ("أحمد آدم", "احمد ادم"), ("שָׁלוֹם", "שלום"), ("नमस्ते", "नमस्ते"), ("go 👍🏽☕\u{FE0F}", "go 👍 ☕"),
        ("", ""), ("?!… —", ""),
    ])
    func wordsAreFolded(_ text: String, _ words: String) {
        #expect(SearchText.indexed(text) == words)
    }

    @Test func onlyLettersAndDigitsOfASCIIReachTheIndex() {
        for byte in UInt8(0)..<128 {
            let words = SearchText.indexed("a" + String(UnicodeScalar(byte)) + "b")
            #expect(words.utf8.allSatisfy { $0 == 0x20 || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        }
    }

    @Test func longWordsAreCut() {
        let word = String(repeating: "x", count: 41)
        #expect(SearchText.indexed(word).count == 40)
        #expect(SearchQuery(word)?.expression == "\"\(String(repeating: "x", count: 40))\" *")
    }

    @Test(arguments: [
        ("apple", "\"apple\" *"), ("Red  APPLES", "\"red\" * AND \"apples\" *"), ("a", "\"a\""),
        ("\"red apple\"", "\"red apple\""), ("“red apple” pie", "\"red apple\" AND \"pie\" *"),
        ("\"open end", "\"open end\""), ("東", "\"東\" *"), ("東京", "\"東京\""), ("東京都", "\"東京 京都\""),
        ("\"東京 タワー\"", "\"東京 京 タワ ワー\""), ("a OR b", "\"a\" AND \"or\" * AND \"b\""),
        ("words : x*", "\"words\" * AND \"x\""), ("NEAR(a b)", "\"near\" * AND \"a\" AND \"b\""), ("☕", "\"☕\""),
        ("", ""), ("\"\"", ""), ("*", ""),
    ])
    func aQueryIsWordsAndPhrases(_ text: String, _ expression: String) {
        #expect(SearchQuery(text)?.expression == expression)
        #expect(SearchQuery(text)?.isEmpty == expression.isEmpty)
    }

    @Test func aQueryHasAtMost32WordsAnd1000Bytes() {
        let words = { (count: Int) in (0..<count).map { "w\($0)" }.joined(separator: " ") }
        #expect(SearchQuery(words(32)) != nil && SearchQuery(words(33)) == nil)
        let bytes = { (count: Int) in String(repeating: "x", count: count) }
        #expect(SearchQuery(bytes(1000)) != nil && SearchQuery(bytes(1001)) == nil)
    }
}

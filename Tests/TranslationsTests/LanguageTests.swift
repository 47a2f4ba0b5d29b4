import Testing
import Translations

@Suite struct LanguageTests {
    @Test(arguments: Language.allCases)
    func `a language is found by its locale in any spelling`(language: Language) {
        let locale = language.locale
        let parts = locale.split(separator: "_").map(String.init)
        for spelling in [
            locale, locale.uppercased(), "\(parts[0])-\(parts[1].uppercased())", parts[0], "\(locale).UTF-8",
        ] {
            #expect(Language(locale: spelling) == language, "\(spelling)")
        }
    }

    @Test(
        arguments: [
            ("de_at", .german), ("en_gb", .english), ("zh_tw", .chinese), ("zh-Hans-CN", .chinese), ("pt", .portuguese),
            ("pt-PT", .portuguese), ("ar_eg", .arabic), ("es_419", .spanish), ("iw", .hebrew), ("iw_IL", .hebrew),
            ("he", .hebrew), ("fr_ca", .french),
        ] as [(String, Language)])
    func `a region without words of its own gets those of its language`(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }

    @Test(arguments: [
        "", "_", "x", "xx_yy", "d", "deu", "klingon", "../../etc/passwd", "*", "de de", "ⅾe", "\0", "_de",
        String(repeating: "de_", count: 14),
    ])
    func `what names no language is none`(locale: String) {
        #expect(Language(locale: locale) == (locale == "_de" ? .german : nil))
    }

    @Test func `forty bytes are the longest locale`() {
        #expect(Language(locale: "de_" + String(repeating: "x", count: 37)) == .german)
        #expect(Language(locale: "de_" + String(repeating: "x", count: 38)) == nil)
    }

    @Test(
        arguments: [
            ("de", .german), ("de-DE,de;q=0.9,en;q=0.8", .german), ("ru, ja;q=0.2, it;q=0.5", .italian),
            ("en;q=0.1, fr", .french), ("fr;q=0, he ; q=0.3", .hebrew), ("ko,zh", .korean), ("ru", nil), ("*", nil),
            ("", nil), (",;,", nil), ("de;q=0", nil), ("de;q=much", nil), ("de;level=1;q=0.5", .german),
        ] as [(String, Language?)])
    func `a browser gets what it wants most`(header: String, language: Language?) {
        #expect(Language(acceptLanguage: header) == language)
    }

    @Test func `a header of more than a thousand bytes is not read`() {
        let long = "de" + String(repeating: ",x", count: 499)
        #expect(long.utf8.count == 1000)
        #expect(Language(acceptLanguage: long) == .german)
        #expect(Language(acceptLanguage: long + ",") == nil)
    }

    @Test func `the first wish that can be met counts`() {
        #expect(Language.first(of: [nil, "ru", "de", "fr"]) == .german)
        #expect(Language.first(of: [nil, "ru"]) == nil)
        #expect(Language.first(of: []) == nil)
    }
}

/// A language that there are words in.
package enum Language: String, Sendable, CaseIterable {
    case arabic = "ar_sa"
    case chinese = "zh_cn"
    case english = "en_us"
    case french = "fr_fr"
    case german = "de_de"
    case hebrew = "he_il"
    case italian = "it_it"
    case japanese = "ja_jp"
    case korean = "ko_kr"
    case portuguese = "pt_br"
    case spanish = "es_es"

    /// The locale under which clients ask for it, `de_de`.
    package var locale: String { rawValue }

    /// The two letters of ISO 639-1.
    package var code: String { String(rawValue.prefix(2)) }

    /// The language of a locale in any spelling (`de_de`, `de-DE`, `de`, `zh-Hans-CN`): the exact one, else the one of
    /// the same language (contract: public 18). nil when there is none.
    package init?(locale: String) {
        // Longer ones name nothing.
        guard locale.utf8.count <= 40 else { return nil }
        let subtags = locale.lowercased().split { $0 == "_" || $0 == "-" || $0 == "." || $0 == "@" }
        guard let first = subtags.first else { return nil }
        let exact = subtags.prefix(2).joined(separator: "_")
        // Old versions of Java send the code that Hebrew had before 1989.
        let code = first == "iw" ? "he" : String(first)
        let exactMatch = Language.allCases.first { $0.rawValue == exact }
        guard let language = exactMatch ?? Language.allCases.first(where: { $0.code == code }) else { return nil }
        self = language
    }

    /// The language that a browser wants most (`Accept-Language`, RFC 9110, section 12.5.4) among those there are; nil
    /// when it wants none of them.
    package init?(acceptLanguage: String) {
        guard acceptLanguage.utf8.count <= 1000 else { return nil }
        var best: (language: Language, weight: Double)?
        for range in acceptLanguage.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first, let language = Language(locale: tag) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
        }
        guard let best else { return nil }
        self = best.language
    }

    /// The first of several wishes that can be met; nil when none can.
    /// - Parameter locales: the most important first; nil is no wish.
    package static func first(of locales: [String?]) -> Language? {
        for case let locale? in locales {
            if let language = Language(locale: locale) { return language }
        }
        return nil
    }
}

extension Wording {
    /// The words of a language. Read from its file the first time that somebody asks for it; any thread.
    package static func of(_ language: Language) -> Wording {
        switch language {
        case .arabic: arabic
        case .chinese: chinese
        case .english: english
        case .french: french
        case .german: german
        case .hebrew: hebrew
        case .italian: italian
        case .japanese: japanese
        case .korean: korean
        case .portuguese: portuguese
        case .spanish: spanish
        }
    }

    private static let arabic = Wording(file: PackageResources.ar_sa_json, english: english)
    private static let chinese = Wording(file: PackageResources.zh_cn_json, english: english)
    private static let english = Wording(file: PackageResources.en_us_json, english: nil)
    private static let french = Wording(file: PackageResources.fr_fr_json, english: english)
    private static let german = Wording(file: PackageResources.de_de_json, english: english)
    private static let hebrew = Wording(file: PackageResources.he_il_json, english: english)
    private static let italian = Wording(file: PackageResources.it_it_json, english: english)
    private static let japanese = Wording(file: PackageResources.ja_jp_json, english: english)
    private static let korean = Wording(file: PackageResources.ko_kr_json, english: english)
    private static let portuguese = Wording(file: PackageResources.pt_br_json, english: english)
    private static let spanish = Wording(file: PackageResources.es_es_json, english: english)
}

import Domain
import JSON
import RichText
import Storage

/// What can be found out of a text before the writer's turn, whoever wrote it.
struct Screening: Sendable {
    /// Visible characters of a text that is too short to be spam.
    private static let shortText = 10

    /// Profane words, in no order.
    let words: [FoundWord]
    /// The text with those masked; nil where there are none, or where they make it spam.
    let masked: CommentDraft?
    /// Logarithm of the odds that it is spam; nil where the filter is not asked.
    let spamOdds: Double?

    /// Of what is not judged.
    static let none = Screening(words: [], masked: nil, spamOdds: nil)

    private init(words: [FoundWord], masked: CommentDraft?, spamOdds: Double?) {
        self.words = words
        self.masked = masked
        self.spamOdds = spamOdds
    }

    /// On any lane.
    /// - Parameters:
    ///   - locale: of the author; nil is not known.
    ///   - redraft: makes a draft of another text.
    init(
        _ draft: CommentDraft, tenant: Tenant, locale: String?, in session: inout Session,
        redraft: (String, inout Session) throws(APIError) -> CommentDraft
    ) throws(APIError) {
        let settings = tenant.moderation
        let written = Self.words(in: draft.source, settings, locale)
        let isPlain = draft.source == draft.rendered.plainText
        let shown = isPlain ? written : Self.words(in: draft.rendered.plainText, settings, locale)
        // Whoever hides a word behind markup loses the markup.
        let isHidden = shown.count > written.count
        words = isHidden ? shown : written
        let text = isHidden ? draft.rendered.plainText : draft.source
        masked =
            words.isEmpty || settings.sendsProfaneToSpam
            ? nil : try redraft(text.masking(words, code: text.codeRanges), &session)
        spamOdds =
            Self.isJudged(draft, tenant) ? try SpamFilter.logOdds(draft.source, tenant: tenant.id, in: &session) : nil
    }

    /// The text as it is kept.
    func draft(_ written: CommentDraft, _ verdict: CommentVerdict) -> CommentDraft {
        verdict.isMasked ? masked ?? written : written
    }

    static func words(in text: String, _ settings: ModerationSettings, _ locale: String?) -> [FoundWord] {
        guard settings.filtersProfanity else { return [] }
        return WordList.found(
            in: text, [.shipped(for: locale), settings.addedWords], excepting: settings.exceptedWords)
    }

    /// A name as readers see it.
    static func name(_ name: String, _ settings: ModerationSettings, _ locale: String?) -> String {
        guard settings.masksNames else { return name }
        return name.starring(words(in: name, settings, locale))
    }

    /// Spam leads somewhere: what has neither link nor mention, or leads only to the site itself, is none, and neither is
    /// what is too short, which pictures are too. Test suites are not judged.
    private static func isJudged(_ draft: CommentDraft, _ tenant: Tenant) -> Bool {
        guard tenant.moderation.filtersSpam, !tenant.isExemptFromLimits,
            draft.rendered.hasLinks || !draft.mentions.isEmpty,
            draft.rendered.plainText.visibleCount >= shortText
        else { return false }
        let leadsOnlyHome =
            !draft.rendered.linkHosts.isEmpty && draft.mentions.isEmpty && !tenant.domains.isEmpty
            && draft.rendered.linkHosts.allSatisfy { host in
                tenant.domains.contains { HostName.covers(Self.bare($0), host) }
            }
        return !leadsOnlyHome
    }

    /// `*.example.com` means the hosts below it.
    private static func bare(_ domain: String) -> String {
        (domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain).lowercased()
    }
}

extension JSONObject {
    /// With another value of one member.
    func replacing(_ name: String, _ value: JSONValue) -> JSONObject {
        var object = JSONObject()
        for member in members { object.append(member.name, member.name == name ? value : member.value) }
        return object
    }
}

import JSON
import TestSupport
import Testing

/// What moderators teach the spam filter of their tenant.
@Suite struct SpamLearningTests {
    private let site: Site
    private let admin: Reader

    init() throws {
        site = try Site(isExempt: false)
        admin = try site.known(.admin)
    }

    private static func pitch(_ number: Int) -> String {
        "Zumbaflex machines for muscles, grandmother approves number \(number) https://zumbaflex.example/a"
    }

    private func posted(_ number: Int) throws -> String { try site.saved(Self.pitch(number)) }

    private func mark(_ id: String, spam: Bool) throws {
        try site.takes {
            try admin.moderating("POST", "set-comment-spam-status/\(id)", ["spam": spam ? "true" : "false"])
        }
    }

    private func features() throws -> [[String]] {
        try site.table(
            "SELECT feature, spam_count, ham_count FROM spam_feature WHERE tenant_id = ?1 ORDER BY feature")
    }

    private func totals() throws -> [[String]] {
        try site.table("SELECT spam_count, ham_count, lesson_count FROM spam_total WHERE tenant_id = ?1")
    }

    @Test func afterSomeMarksTheSameIsSpam() throws {
        #expect(try site.takes { try site.reader(.author).post(Self.pitch(0)) }["comment", "isSpam"] == nil)
        for number in 1...5 { try mark(posted(number), spam: true) }
        #expect(try totals() == [["5", "0", "5"]])
        let answer = try site.takes { try site.reader(.reader(1)).post(Self.pitch(6)) }
        #expect(answer["comment", "isSpam"] == true)
        let honest = try site.takes {
            try site.reader(.reader(2)).post("Good machines, my source is https://en.wikipedia.org/wiki/Muscle")
        }
        #expect(honest["comment", "isSpam"] == nil)
        // What one tenant learned does not concern another.
        let other = try Site(isExempt: false)
        #expect(try other.takes { try other.reader(.author).post(Self.pitch(7)) }["comment", "isSpam"] == nil)
    }

    @Test func aMarkThatIsTakenBackIsUnlearnt() throws {
        let id = try posted(1)
        try mark(id, spam: true)
        let learned = try features()
        #expect(!learned.isEmpty && learned.allSatisfy { $0[1] == "1" && $0[2] == "0" })
        try mark(id, spam: true)
        #expect(try features() == learned)
        try mark(id, spam: false)
        #expect(try features() == learned.map { [$0[0], "0", "1"] })
        #expect(try totals() == [["0", "1", "2"]])
        try mark(id, spam: true)
        #expect(try features() == learned)
    }

    @Test func whatWasLearntIsTakenBackThoughTheTextChanged() throws {
        let id = try posted(1)
        try mark(id, spam: true)
        try site.does("PATCH", "comments/\(id)", [:], ["comment": "Something else https://example.com"])
        try mark(id, spam: false)
        #expect(try features().allSatisfy { $0[1] == "0" && $0[2] == "1" })
        #expect(try features().contains { $0[0] == "something" })
        #expect(try !features().contains { $0[0] == "zumbaflex" })
    }

    @Test func approvalsTeachThatItIsNoneAndTheirReversalForgets() throws {
        let id = try posted(1)
        func approve(_ isApproved: Bool) throws {
            try site.takes {
                try admin.moderating(
                    "POST", "set-comment-approval-status/\(id)", ["approved": isApproved ? "true" : "false"])
            }
        }
        try approve(false)
        #expect(try features().isEmpty)
        try approve(true)
        #expect(try totals() == [["0", "1", "1"]])
        try approve(false)
        #expect(try features().isEmpty)
        #expect(try totals() == [["0", "0", "1"]])
    }

    @Test func onlyModeratorsTeach() throws {
        let id = try posted(1)
        try site.does("PATCH", "comments/\(id)", [:], ["isSpam": true])
        #expect(try features().isEmpty)
        try site.refusesStrangers("POST", "set-comment-spam-status/\(id)", ["spam": "true"])
        #expect(try features().isEmpty)
    }

    @Test func theVocabularyStaysBounded() throws {
        let tenant = site.tenant.id
        try site.execute(
            """
            INSERT INTO spam_total VALUES ('\(tenant)', 10, 10, 49);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
            INSERT INTO spam_feature SELECT '\(tenant)', 'w' || i, 1, 0, i FROM n;
            UPDATE spam_feature SET ham_count = 5 WHERE feature = 'w1' AND tenant_id = '\(tenant)';
            """)
        try mark(posted(1), spam: true)
        #expect(try site.number("SELECT COUNT(*) FROM spam_feature WHERE tenant_id = ?1") == 20_000)
        #expect(try features().contains(["w1", "1", "5"]))
        #expect(try !features().contains { $0[0] == "w2" })
        #expect(try features().contains { $0[0] == "zumbaflex" })
    }
}

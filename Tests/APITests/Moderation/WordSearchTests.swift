import JSON
import TestSupport
import Testing

/// Words are found alike whether comments are read one by one or the index is asked (contract: admin 6.1, public 5.1).
@Suite struct WordSearchTests {
    private static func listed(_ reader: Reader, _ query: QueryItems) throws -> [String] {
        let list = try reader.moderation("GET", "api/comments", query + ["count": "200"])
        return try #require(list["comments"]?.array, "\(list.text)").compactMap { $0["_id"]?.string }
    }

    private static func counted(_ reader: Reader, _ query: QueryItems) throws -> Int64? {
        try reader.moderation("GET", "count", query)["count"]?.integer
    }

    /// Ids of all that fit, part by part.
    private static func ids(_ reader: Reader, _ query: QueryItems) throws -> [String] {
        var ids: [String] = []
        while true {
            let place: QueryItems = ["afterId": ids.last]
            let part = try reader.moderation("GET", "api/ids", query + place)
            ids += try #require(part["ids"]?.array, "\(part.text)").compactMap(\.string)
            guard part["hasMore"] == true else { return ids }
        }
    }

    /// So many comments, one a second, with `words` of their number `i`.
    private static func fill(_ site: Site, _ count: Int, page: String, prefix: String, words: String) throws {
        let tenant = site.tenant.id
        try site.execute(
            """
            BEGIN;
            INSERT INTO comment (id, tenant_id, page_id, commenter_name, source, html, url, created_at, score,
                                 is_approved, is_spam)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT '\(prefix)-' || i || '-\(tenant)', '\(tenant)',
                   (SELECT id FROM page WHERE tenant_id = '\(tenant)' AND url_id = '\(page)'), 'x', \(words), \(words),
                   '', 1700000000000 + i * 1000, 0, 1, i % 10 = 0
            FROM n;
            INSERT INTO comment_search (rowid, place, words)
            SELECT seq, 'p' || page_id, source FROM comment
            WHERE tenant_id = '\(tenant)' AND id LIKE '\(prefix)-%';
            COMMIT;
            """)
    }

    @Test func aCountIsThatOfTheListInEveryScript() throws {
        let texts = [
            "A cat in the café", "Москва, ёлка", "私は東京都庁にいる", "서울특별시에서", "قرأتُ الكتاب أمس", "שָׁלוֹם לכולם",
            "ภาษาไทยง่าย", "Well done 👍🏽", "Die Straße", "a catalogue of cats", "東京タワー",
        ]
        let comments = texts.map { text -> JSONValue in ["name": "Guest", "comment": .string(text)] }
        let site = try Site(pages: [["urlId": "page", "comments": .array(comments)]])
        let other = try Site(pages: [["urlId": "page", "comments": .array(comments)]])
        let admin = try site.reader(.admin)
        for (text, expected) in [
            ("cat", 2), ("cat a", 2), ("ca", 2), ("CAFÉ", 1), ("москв елка", 1), ("東京", 2), ("東", 2), ("都庁", 1),
            ("서울", 1),
            ("كتاب", 1), ("שלום", 1), ("ไทย", 1), ("👍", 1), ("strasse", 1), ("die cat", 0), ("c", 0),
        ] as [(String, Int64)] {
            #expect(try Self.counted(admin, ["text-search": text]) == expected, "\(text)")
            #expect(try Self.listed(admin, ["text-search": text]).count == Int(expected), "\(text)")
            #expect(try Self.counted(other.reader(.admin), ["text-search": text]) == expected, "\(text)")
        }
    }

    @Test func wordsOfOldCommentsAreFoundWhereNewOnesHaveNone() throws {
        let site = try Site(pages: [["urlId": "page", "comments": [["name": "Guest", "comment": "first"]]]])
        // 2,500 old ones with the word, then 500 without.
        try Self.fill(
            site, 3000, page: "page", prefix: "n",
            words: "CASE WHEN i <= 2500 THEN 'ancient ' || (i % 7) WHEN i = 2600 THEN 'unique' ELSE 'modern' END")
        let admin = try site.reader(.admin)
        func expected(_ fits: (Int) -> Bool) -> [String] {
            (1...2500).reversed().filter(fits).map { "n-\($0)-\(site.tenant.id)" }
        }
        for word in ["ancient", "anci"] {
            let query: QueryItems = ["text-search": word]
            #expect(try Self.counted(admin, query) == 2500)
            #expect(try Self.ids(admin, query) == expected { _ in true })
            #expect(try Self.listed(admin, query) == Array(expected { _ in true }.prefix(200)))
            #expect(try Self.listed(admin, query + ["page": "13"]) == Array(expected { _ in true }.suffix(100)))
        }
        let spam: QueryItems = ["text-search": "ancient", "filters": "spam"]
        #expect(try Self.counted(admin, spam) == 250)
        #expect(try Self.ids(admin, spam) == expected { $0 % 10 == 0 })
        let shown: QueryItems = ["text-search": "ancient", "filters": "not-spam"]
        #expect(try Self.counted(admin, shown) == 2250)
        #expect(try Self.ids(admin, shown) == expected { $0 % 10 != 0 })
        let some: QueryItems = ["text-search": "\"ancient 3\""]
        #expect(try Self.counted(admin, some) == Int64(expected { $0 % 7 == 3 }.count))
        #expect(try Self.ids(admin, some) == expected { $0 % 7 == 3 })
        #expect(try Self.listed(admin, ["text-search": "uniq"]) == ["n-2600-\(site.tenant.id)"])
        #expect(try Self.counted(admin, ["text-search": "uniq"]) == 1)
        #expect(try Self.counted(admin, ["text-search": "mod"]) == 499)
        #expect(try Self.ids(admin, ["text-search": "mod"]).count == 499)
    }

    @Test func pagesWithFewAndWithManyCommentsAreSearchedAlike() throws {
        let site = try Site(
            ["enableSearch": true],
            pages: ["few", "many"].map { ["urlId": .string($0), "comments": [["name": "Guest", "comment": "first"]]] })
        for (page, count) in [("few", 2999), ("many", 3000)] {
            try Self.fill(
                site, count, page: page, prefix: page,
                words: "CASE WHEN i IN (7, 1500) THEN 'needle ' || i ELSE 'hay' END")
            let reader = try site.reader(at: page)
            for (text, expected) in [("needle", 1), ("need", 1), ("\"needle 7\"", 1), ("needles", 0)] {
                let found = try reader.comments(["searchText": text])["comments"]?.array ?? []
                // Spam is not shown.
                #expect(
                    found.compactMap { $0["commentHTML"]?.string } == (expected == 0 ? [] : ["needle 7"]), "\(page)")
            }
        }
    }
}

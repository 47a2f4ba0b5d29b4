import JSON
import TestSupport
import Testing

/// Parameters of a read (contract: public 1.2, 5.1).
@Suite struct ListQueryTests {
    /// A page of three roots, the first with two replies, oldest first by default.
    private static func site() throws -> Site {
        let replies: JSONValue = [["name": "G", "comment": "a1"], ["name": "G", "comment": "a2 #red #blue"]]
        return try Site(
            ["defaultSortDirection": "OF"],
            pages: [
                [
                    "urlId": "page",
                    "comments": [
                        ["name": "G", "comment": "a", "replies": replies], ["name": "G", "comment": "b #red"],
                        ["name": "G", "comment": "c #Red #BLUE"],
                    ],
                ]
            ])
    }

    private static func texts(_ answer: Answer) -> [String] {
        (answer["comments"]?.array ?? []).map { comment in
            String(comment["commentHTML"]?.string?.prefix { $0 != " " && $0 != "<" } ?? "?")
        }
    }

    @Test(arguments: [
        ("skip", "invalid-skip"), ("limit", "invalid-limit"), ("skipChildren", "invalid-skip-children"),
        ("limitChildren", "invalid-limit-children"), ("maxTreeDepth", "invalid-max-tree-depth"),
    ])
    func eachNumberHasACodeOfItsOwn(_ name: String, _ code: String) throws {
        let site = try Self.site()
        for word in [
            "-1", "x", "NaN", "1.5", "99999999999999999999", "1e400", "--1", "٣", "0x10", "1e1", "+1", "1.", ".0",
            "1_0",
        ] {
            var query: QueryItems = ["asTree": "true"]
            query.append(name, word)
            try site.refuses(422, code) { try site.reader().comments(query) }
        }
        for word in ["0", "0.0", "3.0", "999999", "", "9223372036854775807"] {
            var query: QueryItems = ["asTree": "true"]
            query.append(name, word)
            try site.takes { try site.reader().comments(query) }
        }
    }

    @Test(arguments: ["-2", "x", "0.5", "NaN"])
    func aPageIsAWholeNumber(_ word: String) throws {
        let site = try Self.site()
        try site.refuses(400, "invalid-input") { try site.reader().comments(["page": word]) }
    }

    @Test func pagesBeyondTheLastAreEmpty() throws {
        let site = try Self.site()
        for query: QueryItems in [
            ["page": "9999"], ["skip": "5"], ["skip": "999999999"], ["page": "9223372036854775807"],
        ] {
            let answer = try site.takes { try site.reader().comments(query) }
            #expect(answer["comments"] == [] && answer["hasMore"] == false)
        }
        #expect(Self.texts(try site.reader().comments(["page": "0.0"])).count == 5)
        #expect(Self.texts(try site.reader().comments(["page": "-1"])).count == 5)
    }

    @Test func aDirectionIsOneOfThree() throws {
        let site = try Self.site()
        for word in ["XX", "of", "NF,OF"] {
            try site.refuses(422, "invalid-direction") { try site.reader().comments(["direction": word]) }
        }
        #expect(Self.texts(try site.reader().comments(["direction": "NF", "asTree": "true"])) == ["c", "b", "a"])
        #expect(Self.texts(try site.reader().comments(["asTree": "true"])) == ["a", "b", "c"])
    }

    @Test(arguments: [
        "asTree", "countAll", "countChildren", "includeConfig", "includei10n", "includeNotificationCount",
    ])
    func aFlagIsTrueOrFalse(_ name: String) throws {
        let site = try Self.site()
        for (word, isTaken) in [
            ("true", true), ("false", true), ("1", true), ("0", true), ("", true), ("yes", false), ("2", false),
        ] {
            var query: QueryItems = [:]
            query.append(name, word)
            let answer = try site.reader().comments(query)
            #expect(answer.status == (isTaken ? 200 : 400), "\(name)=\(word)")
            #expect(isTaken || answer.code == "invalid-input")
        }
        for (word, count) in [("1", 3), ("0", 5)] {
            #expect(Self.texts(try site.reader().comments(["asTree": word])).count == count)
        }
    }

    @Test func theCountIsOfAllOrOfRoots() throws {
        let site = try Self.site()
        let reader = try site.reader()
        #expect(try reader.comments(["countAll": "true"])["commentCount"] == 5)
        #expect(try reader.comments(["countAll": "false"])["commentCount"] == 3)
        #expect(try reader.comments()["commentCount"] == 3)
        #expect(try reader.comments(["skip": "2"])["commentCount"] == nil)
        #expect(try reader.comments(["page": "1"])["commentCount"] == nil)
        #expect(try reader.comments(["skip": "2", "countAll": "true"])["commentCount"] == 5)
    }

    @Test func listsComeRepeatedOrWithCommas() throws {
        let site = try Self.site()
        let reader = try site.reader()
        #expect(Self.texts(try reader.comments(["hashTags": "red", "hashTags": "blue"])) == ["a2", "c"])
        #expect(Self.texts(try reader.comments(["hashTags": "#RED,blue"])) == ["a2", "c"])
        #expect(Self.texts(try reader.comments(["hashTags": ",,"])).count == 5)
        #expect(Self.texts(try reader.comments(["hashTags": "green"])) == [])
    }

    @Test func unknownParametersAreIgnored() throws {
        let site = try Self.site()
        let answer = try site.takes {
            try site.reader().comments([
                "lastGenDate": "x", "_": "123", "r": "", "count": "30", "asTree[]": "1", "": "x",
            ])
        }
        #expect(Self.texts(answer).count == 5)
    }

    @Test func aParentNarrowsTheAnswer() throws {
        let site = try Self.site()
        let reader = try site.reader()
        let root = try #require(try reader.comments()["comments", 0, "_id"]?.string)
        #expect(Self.texts(try reader.comments(["parentId": root])) == ["a1", "a2"])
        #expect(
            Self.texts(try reader.comments(["parentId": root, "asTree": "true", "skip": "1", "skipChildren": "1"])) == [
                "a2"
            ])
        #expect(Self.texts(try reader.comments(["parentId": "null"])) == ["a", "b", "c"])
        #expect(Self.texts(try reader.comments(["parentId": "null", "asTree": "true"])) == ["a", "b", "c"])
        #expect(Self.texts(try reader.comments(["parentId": ""])).count == 5)
        #expect(Self.texts(try reader.comments(["parentId": "unknown"])) == [])
        #expect(Self.texts(try reader.on("other").comments(["parentId": root])) == [])
    }

    @Test func slicesMeetWithoutGapOrOverlap() throws {
        let site = try Self.site()
        let reader = try site.reader()
        for query: QueryItems in [[:], ["asTree": "true", "maxTreeDepth": "0"]] {
            let all = Self.texts(try reader.comments(query))
            var met: [String] = []
            for skip in 0..<all.count {
                let answer = try reader.comments(query + ["skip": "\(skip)", "limit": "1"])
                met += Self.texts(answer)
                #expect(answer["hasMore"]?.bool == (skip < all.count - 1))
            }
            #expect(met == all)
        }
    }

    @Test func theNumbersOfATreeAreExact() throws {
        let site = try Self.site()
        let tree = try site.reader().comments(["asTree": "true", "countChildren": "true", "limitChildren": "1"])
        #expect(tree["comments", 0, "childCount"] == 2 && tree["comments", 0, "nestedChildrenCount"] == 1)
        #expect(tree["comments", 0, "hasChildren"] == true && tree["comments", 0, "children"]?.array?.count == 1)
        #expect(tree["comments", 1, "hasChildren"] == false && tree["comments", 1, "childCount"] == 0)
        let flat = try site.reader().comments(["asTree": "true", "maxTreeDepth": "0"])
        #expect(flat["comments", 0, "children"] == nil && flat["comments", 0, "hasChildren"] == true)
        #expect(flat["comments", 0, "childCount"] == nil)
    }

    @Test func readingMakesNoPage() throws {
        let site = try Site()
        let before = try site.rows()
        let answer = try site.takes { try site.reader(at: "never written").comments(["countAll": "true"]) }
        #expect(answer["comments"] == [] && answer["commentCount"] == 0 && answer["hasMore"] == false)
        #expect(answer["translatedError"] == nil && answer["isClosed"] == false)
        #expect(try site.rows() == before)
        _ = try site.reader(.author, at: "never written").comments()
        #expect(try site.rows().filter { $0.hasPrefix("page") } == [])
    }
}

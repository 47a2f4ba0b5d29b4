import JSON
import TestSupport
import Testing

extension ThreadScenarioTests {
    private func ids(_ answer: Answer) -> [String] { answer["comments"]?.array?.compactMap(\.id) ?? [] }

    @Test func thirtyFiveRootsComeInPagesWithoutGapsOrOverlap() throws {
        let all = try (1...35).map { try ann.posted("Comment \($0)") }
        let tree: QueryItems = ["direction": "NF", "asTree": "true", "countChildren": "true"]
        let newest = Array(all.reversed())

        let first = try bob.comments(tree + ["skip": "0", "limit": "31", "maxTreeDepth": "1", "countAll": "true"])
        #expect(ids(first) == Array(newest.prefix(31)))
        #expect(first["commentCount"] == 35)
        #expect(first["hasMore"] == true)
        let second = try bob.comments(tree + ["skip": "30", "limit": "31", "maxTreeDepth": "0"])
        #expect(ids(second) == Array(newest.suffix(5)))
        #expect(second["hasMore"] == false)
        #expect(second["commentCount"] == nil, "clients would take the count of roots for the total")
        #expect(ids(try bob.comments(tree + ["skip": "35", "limit": "31"])) == [])
        let everything = try bob.comments(tree + ["skip": "0", "limit": "999999", "maxTreeDepth": "999"])
        #expect(ids(everything) == newest)

        let pages = try (0...2).map { try bob.comments(["direction": "OF", "page": "\($0)"]) }
        #expect(pages.map(ids) == [Array(all.prefix(30)), Array(all.suffix(5)), []])
        #expect(pages.map { $0["hasMore"] } == [true, false, false])
        #expect(pages.map { $0["pageNumber"] } == [0, 1, 2])
        #expect(ids(try bob.comments(["direction": "OF", "page": "-1"])) == all)
    }

    @Test func aPageIsFoundByAComment() throws {
        let all = try (1...35).map { try ann.posted("Comment \($0)") }
        let answer = try bob.comments(["direction": "OF", "fetchPageForCommentId": all[32]])
        #expect(ids(answer) == all)
        #expect(answer["pageNumber"] == 1)
        #expect(answer["includesPastPages"] == true)
        let first = try bob.comments(["direction": "OF", "fetchPageForCommentId": all[29]])
        #expect(ids(first) == Array(all.prefix(30)))
        #expect(first["pageNumber"] == 0)
        #expect(first["hasMore"] == true)
    }

    @Test func cursorsWalkThePageInBothWays() throws {
        let all = try (1...13).map { try ann.posted("Comment \($0)") }
        for (direction, expected) in [("OF", all), ("NF", all.reversed()), ("MR", all.reversed())] {
            var forward = [expected[0]]
            while let last = forward.last {
                let answer = try bob.comments(["direction": direction, "limit": "5", "afterCommentId": last])
                #expect(ids(answer).count <= 5)
                forward += ids(answer)
                #expect(answer["hasMore"] == .bool(forward.count < expected.count))
                if ids(answer).isEmpty { break }
            }
            #expect(forward == expected)
            var backward = [expected[12]]
            while let first = backward.first {
                let answer = try bob.comments(["direction": direction, "limit": "5", "beforeCommentId": first])
                backward = ids(answer) + backward
                #expect(answer["hasMore"] == .bool(backward.count < expected.count))
                if ids(answer).isEmpty { break }
            }
            #expect(backward == expected)
        }
    }

    @Test func treesAreCutWhereTheyWereAskedToBe() throws {
        let root = try ann.posted("Root")
        let children = try (0..<7).map { try ann.posted("Child \($0)", replyingTo: root) }
        let grandchild = try ann.posted("Grandchild", replyingTo: children[1])
        let base: QueryItems = ["direction": "OF", "asTree": "true", "countChildren": "true"]

        let bare = try bob.comments(base + ["maxTreeDepth": "0"])
        #expect(ids(bare) == [root])
        #expect(bare["comments", 0, "children"]?.array ?? [] == [])
        #expect(bare["comments", 0, "childCount"] == 7)
        #expect(bare["comments", 0, "hasChildren"] == true)

        let shallow = try bob.comments(base + ["maxTreeDepth": "1", "limitChildren": "3", "skipChildren": "1"])
        let shown = shallow["comments", 0, "children"]?.array ?? []
        #expect(shown.compactMap(\.id) == Array(children[1...3]))
        #expect(shallow["comments", 0, "nestedChildrenCount"] == 3)
        #expect(shown.first?["hasChildren"] == true)
        #expect(shown.first?["childCount"] == 1)

        // Clients send the same number as skip and as skipChildren.
        let replies = try bob.comments([
            "parentId": root, "skip": "5", "skipChildren": "5", "limit": "5", "limitChildren": "5", "asTree": "true",
            "maxTreeDepth": "1", "countChildren": "true", "direction": "OF",
        ])
        #expect(ids(replies) == Array(children.suffix(2)))
        #expect(replies["hasMore"] == false)
        let lower = try bob.comments(base + ["parentId": root, "skip": "0", "limit": "2", "maxTreeDepth": "1"])
        #expect(ids(lower) == Array(children.prefix(2)))
        #expect(lower["hasMore"] == true)
        #expect(lower["comments", 1, "children", 0, "_id"]?.string == grandchild)
        #expect(try bob.order("OF") == [root, children[0], children[1], grandchild] + children.suffix(5))
    }

    @Test(arguments: [
        ("skip", "-1", "invalid-skip"), ("limit", "x", "invalid-limit"), ("direction", "UP", "invalid-direction"),
        ("maxTreeDepth", "-1", "invalid-max-tree-depth"), ("skipChildren", "-1", "invalid-skip-children"),
        ("limitChildren", "-2", "invalid-limit-children"),
    ])
    func aSenselessNumberIsNamed(_ name: String, _ value: String, _ code: String) throws {
        let answer = try ann.comments([name: value])
        #expect(answer.status == 422)
        #expect(answer.code == code)
    }
}

import JSON
import TestSupport
import Testing

/// Rows that no request makes: comments that are their own ancestors.
@Suite struct BrokenThreadTests {
    /// Two that reply to each other, one that replies to itself, and one in order.
    private static func make(_ site: Site) throws -> [String] {
        let author = try site.reader(.author)
        let ids = try (0..<4).map { try author.posted("Comment \($0)") }
        for (child, parent) in [(0, 1), (1, 0), (2, 2)] {
            try site.execute(
                """
                UPDATE comment SET parent_id = '\(ids[parent])',
                    parent_seq = (SELECT seq FROM comment WHERE id = '\(ids[parent])') WHERE id = '\(ids[child])'
                """)
        }
        return ids
    }

    @Test func readingEnds() throws {
        let site = try Site()
        let ids = try Self.make(site)
        for person in [nil, Person.author, .admin] {
            for order in ["OF", "NF", "MR"] {
                for shape: QueryItems in [[:], ["asTree": "true", "maxTreeDepth": "10"], ["countChildren": "true"]] {
                    let answer = try site.takes { try site.reader(person).comments(["direction": order] + shape) }
                    #expect(answer.text.contains(ids[3]))
                }
            }
            for id in ids {
                try site.takes { try site.reader(person).comments(["parentId": id, "asTree": "true"]) }
            }
        }
        for path in ["api/comments", "api/ids", "count", "comment/\(ids[0])", "comment-children/\(ids[0])"] {
            try site.takes { try site.reader(.admin).moderating("GET", path) }
        }
        for parent in [nil, "null", ids[0], ids[2]] {
            let tree = parent == nil ? nil : "true"
            try site.does("GET", "comments", ["urlId": "page", "parentId": parent, "asTree": tree])
        }
    }

    @Test func writingEnds() throws {
        let site = try Site()
        let ids = try Self.make(site)
        let author = try site.reader(.author)
        for id in ids {
            _ = try author.post("A reply", replyingTo: id)
            _ = try author.vote(id)
            _ = try site.reader(.admin).mark(id, "pin")
        }
        try site.takes { try site.reader(.admin).moderating("POST", "remove-comment/\(ids[0])") }
        try site.takes { try author.delete(ids[2]) }
        #expect(try site.api("DELETE", "comments/\(ids[1])").status < 500)
        try site.takes { try author.comments() }
    }
}

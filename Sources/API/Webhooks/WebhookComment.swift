import Domain
import JSON
import Storage

/// A comment as a site's own server is told of it (contract: admin 8.2). Receivers read it and write it again to check
/// the signature, so it has nothing that a JSON library would write otherwise.
struct WebhookComment: JSONWritable, Sendable {
    let record: CommentRecord
    let details: CommentDetails

    func write(to json: inout JSONWriter) {
        json.object { json in
            writeText(to: &json)
            writeState(to: &json)
            // Which page of an answer it would be on changes with every other comment: it is not kept.
            json.key("pageNumber")
            json.null()
            json.key("pageNumberOF")
            json.null()
            json.key("pageNumberNF")
            json.null()
            json.member("approved", record.isApproved)
            json.member("locale", orNull: record.locale)
            if let mentions = record.mentions {
                json.key("mentions")
                json.raw(mentions.utf8)
            }
            json.member("domain", orNull: details.domain)
            if let groups = record.moderationGroups {
                json.member("moderationGroupIds", groups)
            } else {
                json.key("moderationGroupIds")
                json.null()
            }
        }
    }

    private func writeText(to json: inout JSONWriter) {
        json.member("id", record.id)
        json.member("urlId", details.urlID)
        json.member("url", orNull: record.url.isEmpty ? nil : record.url)
        json.member("userId", orNull: record.userID)
        json.member("commenterEmail", orNull: record.email)
        json.member("commenterName", record.name)
        json.member("comment", record.source)
        json.member("commentHTML", record.html)
        json.member("externalId", ifPresent: details.externalID)
        json.member("parentId", orNull: record.parentID)
        json.key("date")
        json.date(milliseconds: record.createdAt)
    }

    private func writeState(to json: inout JSONWriter) {
        json.member("votes", record.votes)
        json.member("votesUp", record.votesUp)
        json.member("votesDown", record.votesDown)
        json.member("verified", record.isVerified)
        if let moment = details.verifiedAt {
            json.key("verifiedDate")
            json.date(milliseconds: moment)
        }
        json.member("reviewed", record.state.isReviewed)
        json.member("avatarSrc", orNull: record.shownAvatar)
        json.member("isSpam", record.isSpam)
        json.member("aiDeterminedSpam", details.isAISpam)
        json.member("hasImages", record.hasImages)
    }
}

/// A comment that nobody wrote, to try receivers with.
package struct SampleComment: JSONWritable, Sendable {
    /// Milliseconds since 1970.
    package let date: Int64

    /// - Parameter date: milliseconds since 1970.
    package init(date: Int64) { self.date = date }

    private static let id = "000000000000000000000000"

    /// What a trial says of a deletion: only which comment.
    package var deleted: [UInt8] {
        var json = JSONWriter()
        json.object { $0.member("id", Self.id) }
        return json.bytes
    }

    /// All members that calls about new comments have.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", Self.id)
            json.member("urlId", "https://example.com/sample")
            json.member("url", "https://example.com/sample")
            json.member("userId", orNull: nil)
            json.member("commenterEmail", "ann@example.com")
            json.member("commenterName", "Ann Example")
            json.member("comment", "This is a **sample**.")
            json.member("commentHTML", "This is a <b>sample</b>.")
            json.member("parentId", orNull: nil)
            json.key("date")
            json.date(milliseconds: date)
            for name in ["votes", "votesUp", "votesDown"] as [StaticString] { json.member(name, 0) }
            json.member("verified", true)
            json.member("reviewed", false)
            json.member("avatarSrc", orNull: nil)
            for name in ["isSpam", "aiDeterminedSpam", "hasImages"] as [StaticString] { json.member(name, false) }
            for name in ["pageNumber", "pageNumberOF", "pageNumberNF"] as [StaticString] {
                json.member(name, orNull: nil)
            }
            json.member("approved", true)
            json.member("locale", "en_us")
            json.member("domain", "example.com")
            json.member("moderationGroupIds", orNull: nil)
        }
    }
}

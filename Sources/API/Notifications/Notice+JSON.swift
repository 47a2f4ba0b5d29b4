import JSON

/// A notice in a list (contract: public 13.1). Marks are texts there: "true", or "" for no.
struct ListedNotice: JSONWritable, Sendable {
    let notice: Notice

    func write(to json: inout JSONWriter) {
        let row = notice.row
        json.object { json in
            json.member("viewed", row.isViewed ? "true" : "")
            json.member("sent", row.isSent ? "true" : "")
            json.key("createdAt")
            json.date(milliseconds: row.createdAt)
            notice.writeSharedMembers(to: &json)
            json.member("contextHTML", ifPresent: notice.contextHTML)
        }
    }
}

/// A notice on a socket and for a site's backend (contract: live 7.1); closed key set.
struct LiveNotice: JSONWritable, Sendable {
    let notice: Notice
    /// On a socket, where dates have whole seconds.
    var isLive = true

    func write(to json: inout JSONWriter) {
        let row = notice.row
        json.object { json in
            json.member("tenantId", notice.tenant)
            let isGuest = row.owner.hasPrefix("anon:")
            json.member("userId", orNull: isGuest ? nil : row.owner)
            json.member("anonUserId", orNull: isGuest ? row.owner : nil)
            json.member("viewed", row.isViewed)
            json.member("isUnreadMessage", false)
            json.member("sent", row.isSent)
            json.key("createdAt")
            json.date(milliseconds: row.createdAt, wholeSeconds: isLive)
            notice.writeSharedMembers(to: &json)
            if let vote = notice.votes?.voteIDs.first { json.member("fromVoteId", vote) }
        }
    }
}

extension Notice {
    fileprivate func writeSharedMembers(to json: inout JSONWriter) {
        json.member("_id", row.id)
        json.member("type", row.kind)
        json.member("optedOut", row.isOptedOut)
        json.member("relatedObjectType", 0)
        json.member("relatedObjectId", row.relatedID)
        json.member("urlId", row.urlID)
        json.member("url", row.pageURL.isEmpty ? row.urlID : row.pageURL)
        json.member("pageTitle", orNull: row.pageTitle)
        json.member("fromUserName", orNull: fromName)
        json.member("fromUserId", orNull: fromID)
        json.member("fromUserAvatarSrc", orNull: fromAvatar)
        guard let votes else { return json.member("fromCommentId", row.commentID) }
        json.member("count", votes.count)
        json.member("relatedIds", votes.voteIDs)
        json.member("fromUserIds", votes.voters.map(\.key))
        json.member("fromUserNames", votes.voters.map(\.name))
    }
}

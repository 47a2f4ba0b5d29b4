import JSON

extension CommentRecord {
    /// The members that every form of a comment has: public, live, and for a site's backend.
    func writeSharedMembers(to json: inout JSONWriter) {
        json.member("userId", orNull: userID)
        json.member("anonUserId", orNull: guestID)
        json.member("commentHTML", html)
        json.member("parentId", orNull: parentID)
        json.member("votes", votes)
        json.member("votesUp", votesUp)
        json.member("votesDown", votesDown)
        json.member("verified", isVerified)
        json.member("approved", isApproved)
        json.member("avatarSrc", orNull: shownAvatar)
        json.member("hasImages", hasImages)
        json.member("isByAdmin", isByAdmin)
        json.member("isByModerator", isByModerator)
        json.member("isPinned", pinnedAt > 0)
        json.member("isLocked", isLocked)
        if let rating {
            json.key("rating")
            json.double(rating)
        }
        // Live frames have an escape of their own, so the kept text cannot go out as it is.
        if let feedbackIDs { json.member("feedbackIds", JSONText.strings(feedbackIDs)) }
    }

    /// What live events and a site's backend see besides.
    func writeInnerMembers(to json: inout JSONWriter) {
        json.member("tenantId", tenant)
        json.member("url", url)
        json.member("comment", source)
        json.member("hasLinks", hasLinks)
        json.member("hasCode", hasCode)
        json.member("isSpam", isSpam)
        json.member("isDeleted", isDeleted)
        json.member("isDeletedUser", isDeletedUser)
        json.member("flagCount", flagCount)
        json.member("displayLabel", orNull: label)
        json.member("locale", orNull: locale)
    }
}

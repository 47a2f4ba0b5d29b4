import Storage

/// Which changes of the database can be seen in the answer to a read of a page (`CommentPage`), so that an answer stays
/// good while people write elsewhere. Tables that are not named here reach all answers.
///
/// Tables without row ids report nothing, so none may be seen in such an answer but through the version of its page:
/// `comment_view`, `comment_count`, `badge_check`, `spam_feature`, `account_address` and the word index's own.
package enum PageReach {
    /// The busiest first.
    package static let tables: [TableReach] = [
        TableReach("comment_search_data", .none),
        TableReach("comment_search_content", .none),
        TableReach("event_log", .none),
        // Whoever changes a comment changes the version of its page.
        TableReach("comment", .anotherRow),
        TableReach("page", .row),
        // Authors show their names; when those change, so do the versions of their pages.
        TableReach("person", addition: .known, change: .all),
        TableReach("guest", .known),
        TableReach("vote", .anotherRow),
        TableReach("notice", .none),
        TableReach("notice_job", .none),
        TableReach("comment_log", .none),
        TableReach("comment_hash_tag", .anotherRow),
        TableReach("hash_tag", .none),
        TableReach("webhook_event", .none),
        TableReach("question_result", .none),
        TableReach("daily_usage", .none),
        TableReach("feed", .none),
        TableReach("subscription", .none),
    ]
}

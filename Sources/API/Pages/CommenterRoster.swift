import Domain
import Storage

/// Who wrote something on a page that is to be read there, by name.
enum CommenterRoster {
    /// Kept for as long as nothing on the page changes.
    static func load(_ page: Page, of visit: Visit, in session: inout Session) throws(APIError) -> PeopleList {
        let rosters = visit.call.services.rosters
        let key = RosterCache.Key.commenters(page.id)
        let format = visit.settings.nameFormat
        if let kept = rosters.find(key, format: format), kept.version == page.version { return kept.list }
        let ids = try session.query(
            """
            SELECT DISTINCT user_id FROM comment
            WHERE page_id = ?1 AND user_id IS NOT NULL AND is_approved = 1 AND is_spam = 0 AND is_deleted = 0
            """,
            .integer(page.id)
        ) { (row) throws(APIError) -> String in row.text(0) }
        let roster = Roster(try FaceSQL.entries(ids, of: visit.tenant.id, as: format, in: &session))
        let list = PeopleList(roster: roster, unnamed: 0)
        rosters.keep(.init(list: list, format: format, version: page.version, madeAt: session.now), key)
        return list
    }
}

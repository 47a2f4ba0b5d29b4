import Domain
import JSON
import Live
import Storage

/// Gives badges and takes them away, and tells whoever is looking (contract: admin 6.7, live 2.3).
struct BadgeChange {
    let tenant: Tenant
    /// Wire id of whoever gets or loses one.
    let user: String
    /// Echoed with the new list; nil makes one.
    var broadcastID: String?

    /// What an award came to.
    enum Award: Sendable {
        case new(String)
        /// It was theirs already, and nothing changed.
        case known(String)
    }

    func award(_ badge: Badge, isDisplayed: Bool = true, in session: inout Session) throws(APIError) -> Award {
        let held = try UserBadgeSQL.all(of: user, tenant: tenant.id, in: &session)
        if let known = held.first(where: { $0.badgeID == badge.id }) { return .known(known.id) }
        if let old = held.first(where: { $0.badgeID == badge.replaces }) {
            try UserBadgeSQL.setDisplayed(old.id, false, in: &session)
        }
        let id = try UserBadgeSQL.insert(
            badge.id, to: user, isDisplayed: isDisplayed, tenant: tenant.id, in: &session)
        try announce(in: &session)
        let shown = ShownBadge(id: badge.id, type: badge.type.rawValue, face: badge.face)
        if isDisplayed, badge.urlID == nil { try tell(.newBadge, shown, in: &session) }
        return .new(id)
    }

    func remove(_ held: UserBadge, in session: inout Session) throws(APIError) {
        try UserBadgeSQL.delete(held.id, in: &session)
        try announce(in: &session)
        if held.isDisplayed, held.urlID == nil { try tell(.removedBadge, held.shown, in: &session) }
    }

    /// Shows a badge beside comments, or hides it.
    func setDisplayed(_ held: UserBadge, _ isDisplayed: Bool, in session: inout Session) throws(APIError) {
        guard held.isDisplayed != isDisplayed else { return }
        try UserBadgeSQL.setDisplayed(held.id, isDisplayed, in: &session)
        try announce(in: &session)
        guard held.urlID == nil else { return }
        try tell(isDisplayed ? .newBadge : .removedBadge, held.shown, in: &session)
    }

    /// What the user's comments show.
    /// - Parameter page: canonical page id; nil leaves out what is shown on single pages only.
    func shown(on page: String?, in session: inout Session) throws(APIError) -> [ShownBadge] {
        try UserBadgeSQL.all(of: user, tenant: tenant.id, in: &session)
            .filter { $0.isDisplayed && ($0.urlID == nil || $0.urlID == page) }
            .prefix(ShownBadge.limit).map(\.shown)
    }

    /// Old comments show the new list, so the pages that hold them changed.
    private func announce(in session: inout Session) throws(APIError) {
        try PersonSQL.touchPages(of: user, tenant: tenant.id, in: &session)
        let badges = try shown(on: nil, in: &session)
        let user = user
        try session.emit(
            LiveEvent.make(.updateBadges, broadcastID: broadcastID, at: session.now) { json in
                json.member("userId", user)
                json.member("badges", badges)
            },
            to: RoomKey(tenant: tenant.id))
    }

    /// For clients that know no lists.
    private func tell(_ type: LiveEventType, _ badge: ShownBadge, in session: inout Session) throws(APIError) {
        let user = user
        try session.emit(
            LiveEvent.make(type, broadcastID: nil, at: session.now) { json in
                json.key("badge")
                json.object { json in
                    badge.writeMembers(to: &json)
                    json.member("userId", user)
                }
            },
            to: RoomKey(tenant: tenant.id))
    }
}

/// People as requests of moderators and backends name them.
enum NamedUser {
    /// The wire id of somebody: as it is, or of the id that the site gave (contract: admin 1.6).
    /// - Returns: nil for somebody who is not known here and never wrote here.
    static func key(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> String? {
        for key in ["\(tenant):\(id)", id, "anon:\(id)"] where try isKnown(key, tenant: tenant, in: &session) {
            return key
        }
        return nil
    }

    private static func isKnown(_ key: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM person WHERE tenant_id = ?1 AND id = ?2
            UNION ALL SELECT 1 FROM guest WHERE tenant_id = ?1 AND id = ?2
            UNION ALL SELECT 1 FROM comment WHERE tenant_id = ?1 AND author_key = ?2
            LIMIT 1
            """,
            .text(tenant), .text(key)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}

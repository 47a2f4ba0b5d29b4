import Domain
import Storage

enum PersonSQL {
    /// Finds the person of a sign-on; creates or updates the row when the data differs from what was last seen.
    /// - Throws: `needsWrite` on a reader that would have to write.
    static func update(
        _ sso: SSOIdentity, of site: Tenant, in session: inout Session
    ) throws(APIError) -> Person {
        let tenant = site.id
        let known = try find(sso.id, tenant: tenant, in: &session)
        // Names are looked at again when the site changes its mind about them.
        let digest = site.moderation.masksNames ? sso.digest + "*" : sso.digest
        if let known {
            if known.digest == digest { return known.person }
            // A role that was taken away must not come back with an older token that is still valid.
            if !sso.isSimple, sso.signedAt < known.signedAt { return known.person }
        }
        guard session.canWrite else { throw .needsWrite }
        var person = known?.person ?? Person(id: sso.id, username: "", isSimple: sso.isSimple)
        person.apply(sso.changes, isSimple: sso.isSimple)
        if person.username.isEmpty { person.username = fallbackName(person) }
        if !Caller(tenant: site, identity: .person(person)).mayModerate {
            person.username = Screening.name(person.username, site.moderation, person.locale)
            person.displayName = person.displayName.map { Screening.name($0, site.moderation, person.locale) }
        }
        let former = try firstMoment(known, of: sso.id, tenant: tenant, in: &session)
        // What was signed before somebody was deleted makes them known again, and gives them nothing.
        if known == nil, sso.signedAt < former { person.loseRights() }
        let signedAt = max(sso.signedAt, former)
        try save(person, digest: digest, signedAt: signedAt, tenant: tenant, in: &session)
        if known?.person.looksLike(person) != true { try touchPages(of: person.id, tenant: tenant, in: &session) }
        return person
    }

    /// Removes a person. What was signed until now brings no rights back.
    static func delete(_ id: String, tenant: String, in session: inout Session) throws(APIError) {
        // The site's clock may be ahead of ours.
        try session.run(
            """
            INSERT OR REPLACE INTO person_tombstone (tenant_id, id, deleted_at)
            SELECT tenant_id, id, max(?3, payload_signed_at + 1) FROM person WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id), .integer(session.now))
        try session.run("DELETE FROM person WHERE tenant_id = ?1 AND id = ?2", .text(tenant), .text(id))
        // Older sign-on data has expired by itself.
        try session.run(
            "DELETE FROM person_tombstone WHERE deleted_at < ?1",
            .integer(session.now - 2 * SSOVerifier.maximumAge))
        try TenantSQL.touch(tenant, in: &session)
    }

    /// What was signed before this confers nothing, milliseconds since 1970.
    /// - Parameter known: nil for somebody who is not known, who may have been deleted.
    static func firstMoment(
        _ known: Known?, of id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int64 {
        if let known { return known.signedAt }
        return try session.first(
            "SELECT deleted_at FROM person_tombstone WHERE tenant_id = ?1 AND id = ?2", .text(tenant), .text(id)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// Old comments show the new name, so the pages that hold them changed.
    static func touchPages(of id: String, tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE page SET version = version + 1
            WHERE id IN (SELECT page_id FROM comment WHERE tenant_id = ?1 AND author_key = ?2)
            """,
            .text(tenant), .text(id))
    }

    /// What stands before the `@`, for simple sign-on with an address alone.
    private static func fallbackName(_ person: Person) -> String {
        person.email.map { String($0.prefix { $0 != "@" }) } ?? "Anonymous"
    }

    /// A person, and the data last applied: its digest and when it was signed.
    struct Known {
        let person: Person
        let digest: String
        let signedAt: Int64
    }

    /// The person with this wire id.
    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Known? {
        try session.first(
            """
            SELECT is_simple, username, email, display_name, display_label, avatar, website_url, group_ids, is_admin,
                   is_moderator, is_activity_private, is_comments_private, is_dm_disabled, opted_in_notifications,
                   opted_in_subscriptions, locale, badge_config, payload_digest, payload_signed_at
            FROM person WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id)
        ) { (row) throws(APIError) -> Known in
            var person = Person(id: id, username: row.text(1), isSimple: row.bool(0))
            person.email = row.textOrNil(2)
            person.displayName = row.textOrNil(3)
            person.displayLabel = row.textOrNil(4)
            person.avatar = row.textOrNil(5)
            person.websiteURL = row.textOrNil(6)
            person.groupIDs = row.textOrNil(7).map(JSONText.strings)
            person.isAdmin = row.bool(8)
            person.isModerator = row.bool(9)
            person.isActivityPrivate = row.boolOrNil(10)
            person.isCommentsPrivate = row.boolOrNil(11)
            person.isDirectMessagesDisabled = row.boolOrNil(12)
            person.optedInNotifications = row.boolOrNil(13)
            person.optedInSubscriptions = row.boolOrNil(14)
            person.locale = row.textOrNil(15)
            person.badgeConfig = row.textOrNil(16)
            return Known(person: person, digest: row.text(17), signedAt: row.int64(18))
        }
    }

    /// Inserts or replaces the row of a person.
    static func save(
        _ person: Person, digest: String?, signedAt: Int64 = 0, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO person (
                tenant_id, id, is_simple, username, email, display_name, display_label, avatar, website_url, group_ids,
                is_admin, is_moderator, is_activity_private, is_comments_private, is_dm_disabled,
                opted_in_notifications, opted_in_subscriptions, locale, badge_config, payload_digest,
                username_key, display_key, email_key, created_at, updated_at, payload_signed_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                    ?21, ?22, ?23, ?24, ?24, ?25)
            ON CONFLICT (tenant_id, id) DO UPDATE SET
                is_simple = excluded.is_simple, username = excluded.username, email = excluded.email,
                display_name = excluded.display_name, display_label = excluded.display_label,
                avatar = excluded.avatar, website_url = excluded.website_url, group_ids = excluded.group_ids,
                is_admin = excluded.is_admin, is_moderator = excluded.is_moderator,
                is_activity_private = excluded.is_activity_private,
                is_comments_private = excluded.is_comments_private, is_dm_disabled = excluded.is_dm_disabled,
                opted_in_notifications = excluded.opted_in_notifications,
                opted_in_subscriptions = excluded.opted_in_subscriptions, locale = excluded.locale,
                badge_config = excluded.badge_config, payload_digest = excluded.payload_digest,
                username_key = excluded.username_key, display_key = excluded.display_key,
                email_key = excluded.email_key, updated_at = excluded.updated_at,
                payload_signed_at = excluded.payload_signed_at
            """,
            .text(tenant), .text(person.id), .bool(person.isSimple), .text(person.username), .text(person.email),
            .text(person.displayName), .text(person.displayLabel), .text(person.avatar), .text(person.websiteURL),
            .text(person.groupIDs.map(JSONText.list)), .bool(person.isAdmin), .bool(person.isModerator),
            .bool(person.isActivityPrivate), .bool(person.isCommentsPrivate), .bool(person.isDirectMessagesDisabled),
            .bool(person.optedInNotifications), .bool(person.optedInSubscriptions), .text(person.locale),
            .text(person.badgeConfig), .text(digest), .text(person.username.lowercased()),
            .text(person.shownName.lowercased()), .text(person.email?.lowercased()), .integer(session.now),
            .integer(signedAt))
    }
}

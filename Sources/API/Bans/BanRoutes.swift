import Domain
import HTTP1
import JSON
import Storage

/// Bans as moderators impose and lift them (contract: admin 6.6).
enum BanRoutes {
    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(
            .get, base + "get-comment-ban-status/{commentId}", "getCommentBanStatus", read: commentBanStatus)
        routes.moderation(.get, base + "user-ban-preference", "getUserBanPreference", read: userBanPreference)
        routes.moderation(.get, base + "pre-ban-summary/{commentId}", "getPreBanSummary", read: preBanSummary)
        routes.moderation(.post, base + "bulk-pre-ban-summary", "postBulkPreBanSummary", read: bulkPreBanSummary)
        routes.moderation(
            .get, base + "ban-users/from-comment/{commentId}", "getBanUsersFromComment", read: banUsersFromComment)
        routes.moderation(
            .post, base + "ban-user/from-comment/{commentId}", "postBanUserFromComment", write: banUserFromComment)
        routes.moderation(.post, base + "ban-user/undo", "postBanUserUndo", write: undo)
        routes.moderation(.get, "moderate-comments/banned-users/mod_api/counts", "getCounts", read: counts)
    }

    /// What a ban of the author could go by.
    private static func commentBanStatus(
        _ visit: ModeratorVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let identities = try Identities(of: visit.comment(in: &session), in: &session)
        return .json(
            Answer { json in
                json.member("emailDomain", orNull: identities.emailDomain.map { "@" + $0 })
                json.member("canIPBan", identities.addressHash != nil)
            })
    }

    private static func userBanPreference(
        _ visit: ModeratorVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let preference = try BanPreference.find(visit.moderator.key, tenant: visit.tenant.id, in: &session)
        return .json(
            Answer { json in
                json.key("preferences")
                guard let preference else { return json.null() }
                preference.write(to: &json)
            })
    }

    private static func banUsersFromComment(
        _ visit: ModeratorVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let identities = try Identities(of: visit.comment(in: &session), in: &session)
        let bans = try BanSQL.matching(identities, tenant: visit.tenant.id, in: &session)
        return .json(
            Answer { json in
                json.key("bannedUsers")
                json.beginArray()
                for ban in bans {
                    json.object { json in
                        ban.writeSharedMembers(to: &json)
                        json.key("matches")
                        json.beginArray()
                        for match in ban.matches(identities) {
                            json.object { json in
                                json.member("matchedOn", match.on)
                                json.member("matchedOnValue", match.value)
                            }
                        }
                        json.endArray()
                    }
                }
                json.endArray()
            })
    }

    private static func counts(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let count = try BanSQL.count(tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("totalCount", count) })
    }

    /// Whoever is bound to groups takes back what they did themselves.
    /// - Throws: `not-found` (404).
    private static func requireOwn(
        _ ids: [String], _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) {
        guard visit.moderator.groups != nil else { return }
        var own = 0
        for id in ids {
            let ban = try BanSQL.find(id, tenant: visit.tenant.id, in: &session)
            own += ban?.bannedBy == visit.moderator.key ? 1 : 0
        }
        guard own == ids.count, own > 0 else { throw APIError(404, "not-found", "This is no ban of yours.") }
    }

    /// Takes a ban back. Nothing of what the client tells is believed but the ids (contract: admin 6.6).
    private static func undo(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let value = try visit.call.bodyObject().present("changelog"), let changelog = value.object else {
            throw .invalidInput("changelog must be an object.")
        }
        let tenant = visit.tenant.id
        let replaced = try (changelog.objects("deletedBannedUsers") ?? []).prefix(summaryLimit)
        try requireOwn(
            [try changelog.text("createdBannedUserId"), try changelog.text("updatedBannedUserId")].compactMap(\.self),
            visit, in: &session)
        var lifted = false
        if let id = try changelog.text("createdBannedUserId") {
            lifted = try BanSQL.delete(id, tenant: tenant, in: &session)
        }
        if let id = try changelog.text("updatedBannedUserId"), try BanSQL.find(id, tenant: tenant, in: &session) != nil
        {
            lifted = try BanSQL.restore(id, tenant: tenant, in: &session) || lifted
        }
        let imposer = visit.moderator.groups == nil ? nil : visit.moderator.key
        for entry in replaced {
            guard let id = try entry.text("_id"), try BanSQL.find(id, tenant: tenant, in: &session) == nil else {
                continue
            }
            lifted = try BanSQL.restore(id, by: imposer, tenant: tenant, in: &session) || lifted
        }
        guard lifted else { return .success }
        try ModeratorRoom.tellOfBans(tenant: tenant, in: &session)
        try visit.note(.delete, "BannedUser", "A ban was taken back.", in: &session)
        return .success
    }
}

/// What a moderator chose last.
struct BanPreference: JSONWritable, Sendable {
    let byEmail: Bool
    let byAddress: Bool
    let isShadow: Bool
    let duration: BanDuration

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("shouldBanEmail", byEmail)
            json.member("shouldBanByIP", byAddress)
            json.member("lastBanType", isShadow ? "perma-shadow" : "perma")
            json.member("lastBanDuration", duration.rawValue)
        }
    }

    static func find(
        _ moderator: String, tenant: String, in session: inout Session
    ) throws(APIError) -> BanPreference? {
        try session.first(
            """
            SELECT by_email, by_address, is_shadow, duration FROM ban_preference
            WHERE tenant_id = ?1 AND moderator_key = ?2
            """,
            .text(tenant), .text(moderator)
        ) { (row) throws(APIError) -> BanPreference in
            BanPreference(
                byEmail: row.bool(0), byAddress: row.bool(1), isShadow: row.bool(2),
                duration: BanDuration(rawValue: row.text(3)) ?? .oneDay)
        }
    }

    func save(for moderator: String, tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO ban_preference (tenant_id, moderator_key, by_email, by_address, is_shadow, duration)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (tenant_id, moderator_key) DO UPDATE SET
                by_email = excluded.by_email, by_address = excluded.by_address, is_shadow = excluded.is_shadow,
                duration = excluded.duration
            """,
            .text(tenant), .text(moderator), .bool(byEmail), .bool(byAddress), .bool(isShadow),
            .text(duration.rawValue))
    }
}

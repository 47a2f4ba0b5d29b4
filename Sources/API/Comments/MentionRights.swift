import Domain
import Storage

/// Whom the author of a text may name (contract: public 12): people of the same groups, and nobody whom the author has
/// blocked.
struct MentionRights: Sendable {
    /// A site's own backend may name anybody.
    static let unlimited = MentionRights(groups: nil, blocked: [])

    /// nil is unrestricted.
    let groups: [String]?
    let blocked: Set<String>

    /// The rights of a visitor, who need not be known yet: nothing can be written while a text is prepared.
    static func of(_ visit: Visit, in session: inout Session) throws(APIError) -> MentionRights {
        if let sso = visit.sso {
            let known = try PersonSQL.find(sso.id, tenant: visit.tenant.id, in: &session)
            let stored = known?.person.groupIDs
            // Of two tokens the later one counts, as in `PersonSQL.update`.
            let isOutdated = known.map { sso.signedAt < $0.signedAt } ?? false
            let groups = isOutdated ? stored : sso.changes.groupIDs.applied(to: stored)
            return MentionRights(groups: groups, blocked: try blocked(by: sso.id, visit, in: &session))
        }
        guard let token = visit.sessionToken,
            let guest = try GuestSQL.find(token: token, tenant: visit.tenant.id, in: &session)
        else { return .unlimited }
        return MentionRights(groups: nil, blocked: try blocked(by: guest.id, visit, in: &session))
    }

    private static func blocked(
        by key: String, _ visit: Visit, in session: inout Session
    ) throws(APIError) -> Set<String> {
        Set(try BlockSQL.blockedKeys(by: key, tenant: visit.tenant.id, in: &session))
    }

    func allow(_ person: Person) -> Bool {
        guard !blocked.contains(person.id) else { return false }
        guard let groups, let theirs = person.groupIDs else { return true }
        return !Set(groups).isDisjoint(with: theirs)
    }
}

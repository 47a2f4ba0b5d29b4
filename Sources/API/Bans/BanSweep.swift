import Domain
import JSON
import Storage

/// Comments of somebody who was banned, which go in small units: the first at once, the rest after the answer.
enum BanSweep {
    /// Comments that one unit removes, those below them included; the last removal may bring more with it. Each takes
    /// almost a millisecond, for which whoever posts meanwhile waits.
    static let unitSize = 25

    /// Removes everything that was written by the chosen identities until now, except by administrators and moderators.
    /// - Parameter groups: of the moderator, whose concern alone is removed; nil is everything.
    static func begin(
        _ choice: IdentityChoice, groups: [String]?, _ tenant: Tenant, _ services: Services,
        in session: inout Session
    ) throws(APIError) {
        let place = try advance(choice, groups, before: .max, tenant, services, in: &session)
        guard let place else { return }
        var detail = JSONObject()
        detail.append("key", text: choice.key)
        detail.append("emailKey", text: choice.emailKey)
        detail.append("emailDomain", text: choice.emailDomain)
        detail.append("addressHash", text: choice.addressHash)
        if let groups { detail.append("groups", .array(groups.map { .string($0) })) }
        try LongTask.begin(.banSweep, "", from: place, detail, tenant: tenant.id, services, in: &session)
    }

    static func advance(
        _ task: LongTask, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Int64? {
        let detail = task.detail
        let choice = IdentityChoice(
            key: try detail.text("key"), emailKey: try detail.text("emailKey"),
            emailDomain: try detail.text("emailDomain"), addressHash: try detail.text("addressHash"))
        return try advance(choice, try detail.texts("groups"), before: task.place, tenant, nil, in: &session)
    }

    /// Removes the newest, so that what somebody answered to themselves goes first.
    /// - Returns: where to go on; nil at the end.
    private static func advance(
        _ choice: IdentityChoice, _ groups: [String]?, before: Int64, _ tenant: Tenant, _ services: Services?,
        in session: inout Session
    ) throws(APIError) -> Int64? {
        let seqs = try AuthoredSQL.newest(
            choice, groups: groups, before: before, limit: unitSize, tenant: tenant.id, in: &session)
        let deletion = CommentDeletion(tenant: tenant, broadcastID: nil, services: services)
        var removed = 0
        for seq in seqs {
            // An earlier removal may have taken it along.
            guard let comment = try CommentSQL.records([seq], in: &session).first, !comment.isDeleted else { continue }
            removed += 1 + (try CommentSQL.countBelow(seq, upTo: SubtreeRemoval.atOnce, in: &session))
            _ = try deletion.run(comment, by: .backend, in: &session)
            if removed >= unitSize { return seq }
        }
        return seqs.count == unitSize ? seqs.last : nil
    }
}

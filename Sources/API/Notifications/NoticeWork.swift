import Domain
import Live
import Storage

/// Makes notices after the answer: a reader finds out whom a comment concerns, the writer stores a handful of them and
/// how far the job is in one unit.
package struct NoticeWork: Sendable {
    /// People of one unit, for begun jobs and for new ones each. One costs the writer about 50 µs, and nobody who posts
    /// meanwhile shall wait for long.
    private static let unitSize = 64
    /// Jobs of one unit, likewise.
    private static let unitJobs = 64

    private let hub: Hub

    /// - Parameter hub: knows who is there to hear of it.
    package init(hub: Hub) { self.hub = hub }

    /// Does the next part of what is to be done. Runs on the thread of this work.
    /// - Returns: whether there was anything.
    package func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        let plans = try lane.read(budgetMilliseconds: nil, Self.plans)
        guard !plans.isEmpty else { return false }
        let hub = hub
        try writer.perform { (session) throws(APIError) in try Self.carryOut(plans, hub, in: &session) }
        return true
    }

    private static func carryOut(_ plans: [NoticePlan], _ hub: Hub, in session: inout Session) throws(APIError) {
        var changed: Set<RoomKey> = []
        for (place, plan) in plans.enumerated() {
            changed.formUnion(
                plan.job.kind == .gone
                    ? try removeNotices(plan, in: &session)
                    : try makeNotices(plan, place: UInt8(clamping: place), hub, in: &session))
        }
        for room in changed where hub.isConnected(room.page, tenant: room.tenant) {
            try NoticeEvents.announceChanges(to: room.page, tenant: room.tenant, in: &session)
        }
    }

    private static func plans(_ session: inout Session) throws(APIError) -> [NoticePlan] {
        let jobs = try NoticeJob.next(unitJobs, in: &session)
        return try plans(for: jobs.new, in: &session) + plans(for: jobs.begun, in: &session)
    }

    private static func plans(for jobs: [NoticeJob], in session: inout Session) throws(APIError) -> [NoticePlan] {
        var plans: [NoticePlan] = []
        var left = unitSize
        for job in jobs where left > 0 {
            guard let plan = try NoticePlan(job, limit: left, in: &session) else { continue }
            left -= plan.weight
            plans.append(plan)
        }
        return plans
    }

    /// Something may have changed since it was planned: a job that is not where it was is left alone, and so is a
    /// comment that cannot be seen any more.
    /// - Returns: the rooms of those whose notices changed or went.
    private static func makeNotices(
        _ plan: NoticePlan, place: UInt8, _ hub: Hub, in session: inout Session
    ) throws(APIError) -> [RoomKey] {
        guard try NoticeSQL.state(of: plan.job.commentSeq, in: &session).isVisible, let comment = plan.comment else {
            _ = try plan.job.move(to: nil, in: &session)
            return []
        }
        guard try plan.job.move(to: plan.next, in: &session) else { return [] }
        for owner in plan.unnamed { try NoticeSQL.endMention(of: owner, in: comment, in: &session) }
        var heard: [String] = []
        for recipient in plan.recipients {
            guard let id = try NoticeSQL.insert(recipient, of: comment, place: place, in: &session) else { continue }
            if hub.isConnected(recipient.owner, tenant: plan.tenant.id) { heard.append(id) }
        }
        try NoticeEvents.announce(.notification, heard, plan.tenant, in: &session)
        return plan.unnamed.map { RoomKey(tenant: plan.tenant.id, person: $0) }
    }

    /// Takes away the notices of a comment that is gone; of one that is there again it leaves them.
    /// - Returns: the rooms of those whose notices went.
    private static func removeNotices(_ plan: NoticePlan, in session: inout Session) throws(APIError) -> [RoomKey] {
        let isThere = try NoticeSQL.state(of: plan.job.commentSeq, in: &session).isThere
        let owners =
            isThere ? [] : try NoticeSQL.delete(of: plan.job.commentSeq, limit: plan.removals, in: &session)
        let isDone = owners.count < plan.removals
        // What is not done at once is no longer new, and lets those go first that are.
        _ = try plan.job.move(to: isDone ? nil : NoticeJob.Place(phase: .subscribers), in: &session)
        return owners.map { RoomKey(tenant: plan.tenant.id, person: $0) }
    }
}

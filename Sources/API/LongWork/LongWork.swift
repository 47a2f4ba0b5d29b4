import Domain
import Storage

/// Carries out, in small units after the answers, what would keep the writer for long. What is still to do stands in the
/// database: nothing is lost when the process ends.
package enum LongWork {
    /// Does the next part. Runs on the thread of notices, which it makes work for.
    /// - Returns: whether there may be more.
    /// - Throws: what a task threw; it waits behind the others from now on.
    package static func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        guard let id = try lane.read(budgetMilliseconds: nil, LongTask.next) else { return false }
        do {
            try writer.perform { (session) throws(APIError) in try goOn(id, in: &session) }
        } catch {
            try writer.perform { (session) throws(APIError) in try LongTask.putBack(id, in: &session) }
            throw error
        }
        return true
    }

    private static func goOn(_ id: Int64, in session: inout Session) throws(APIError) {
        guard let task = try LongTask.find(id, in: &session),
            let tenant = try TenantSQL.find(task.tenant, in: &session)
        else { return try LongTask.move(id, to: nil, in: &session) }
        let place = try advance(task, tenant, in: &session)
        try LongTask.move(id, to: place, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    private static func advance(
        _ task: LongTask, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Int64? {
        switch task.kind {
        case .banSweep: try BanSweep.advance(task, tenant, in: &session)
        case .erasing, .anonymising: try PersonErasure(task, tenant).advance(before: task.place, in: &session)
        case .renaming: try PersonRenaming.advance(task.subject, before: task.place, tenant, in: &session)
        case .hiding, .showing: try SubtreeNews.advance(task, tenant, in: &session)
        case .removing: try SubtreeRemoval.advance(task, tenant, in: &session)
        case .restoring: try SubtreeReturn(task, tenant).advance(after: task.place, in: &session)
        }
    }
}

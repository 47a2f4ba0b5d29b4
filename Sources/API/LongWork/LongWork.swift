import Domain
import Storage
import Synchronization

/// Carries out, in small units after the answers, what would keep the writer for long. What is still to do stands in the
/// database: nothing is lost when the process ends.
package final class LongWork: Sendable {
    // Guards the walk, which the thread of this work alone uses.
    private let walk = Mutex<SubtreeWalk?>(nil)

    /// Nothing was begun.
    package init() {}

    /// Does the next part, on a thread of its own.
    /// - Returns: whether there may be more.
    /// - Throws: what a task threw; it waits behind the others from now on.
    package func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        guard let id = try lane.read(budgetMilliseconds: nil, LongTask.next) else { return false }
        do {
            let walk = try walk(for: id, lane)
            try writer.perform { (session) throws(APIError) in try Self.goOn(id, walk, in: &session) }
        } catch {
            try writer.perform { (session) throws(APIError) in try LongTask.putBack(id, in: &session) }
            throw error
        }
        return true
    }

    /// Found outside of the writer, and again when the page changed, but for what is gone already.
    private func walk(for id: Int64, _ lane: ReadLane) throws(APIError) -> SubtreeWalk? {
        let former = walk.withLock { $0?.task == id ? $0 : nil }
        let walk = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> SubtreeWalk? in
            guard let task = try LongTask.find(id, in: &session),
                let tenant = try TenantSQL.find(task.tenant, in: &session)
            else { return nil }
            switch task.kind {
            case .removing:
                if let former { return former }
                return try SubtreeRemoval.walk(task, tenant, in: &session)
            case .hiding, .showing:
                let version = try former.flatMap { (former) throws(APIError) -> Int64? in
                    try PageSQL.find(id: former.page, in: &session)?.version
                }
                if let former, former.version == version { return former }
                return try SubtreeNews.walk(task, tenant, in: &session)
            case .banSweep, .erasing, .anonymising, .renaming, .restoring, .addresses, .webhookRemoval: return nil
            }
        }
        self.walk.withLock { $0 = walk }
        return walk
    }

    private static func goOn(_ id: Int64, _ walk: SubtreeWalk?, in session: inout Session) throws(APIError) {
        guard let task = try LongTask.find(id, in: &session),
            let tenant = try TenantSQL.find(task.tenant, in: &session)
        else { return try LongTask.move(id, to: nil, in: &session) }
        let place = try advance(task, tenant, walk, in: &session)
        try LongTask.move(id, to: place, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    private static func advance(
        _ task: LongTask, _ tenant: Tenant, _ walk: SubtreeWalk?, in session: inout Session
    ) throws(APIError) -> Int64? {
        switch task.kind {
        case .banSweep: try BanSweep.advance(task, tenant, in: &session)
        case .erasing, .anonymising: try PersonErasure(task, tenant).advance(before: task.place, in: &session)
        case .renaming: try PersonRenaming.advance(task.subject, before: task.place, tenant, in: &session)
        case .hiding, .showing: try SubtreeNews.advance(task, tenant, walk, in: &session)
        case .removing: try SubtreeRemoval.advance(task, tenant, walk, in: &session)
        case .restoring: try SubtreeReturn(task, tenant).advance(after: task.place, in: &session)
        case .addresses: try PageAddresses.advance(task, in: &session)
        case .webhookRemoval: try WebhookRemoval.advance(task.subject, in: &session) ? 0 : nil
        }
    }
}

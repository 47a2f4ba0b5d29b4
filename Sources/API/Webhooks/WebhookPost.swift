import Domain
import Outbound
import Reactor
import Server
import Storage
import Synchronization

/// Delivers what the queue of webhooks holds. A thread of its own plans and writes down, others call; whoever posts a
/// comment waits for none of it.
///
/// An event stays in the database until its receiver has taken it: after a crash it is told again, under the same id.
package final class WebhookPost: Sendable {
    private let desk: WebhookDesk
    private let lane: OutboundLane
    private let thread: Thread

    /// Starts the threads; closes over `store`, which must be closed after this.
    /// - Parameters:
    ///   - retry: milliseconds that each failed attempt adds to the wait for the next.
    ///   - tasks: removes what webhooks that went were still to be told.
    /// - Throws: when the system has no room for the threads.
    package init(
        _ store: Store, _ client: OutboundClient, retry: Int64, tasks: Background, _ logger: Logger
    ) throws(SystemCallError) {
        let desk = WebhookDesk()
        let lane = try OutboundLane(
            client, name: "webhooks", threads: WebhookDesk.limit, queueLimit: WebhookDesk.limit)
        self.desk = desk
        self.lane = lane
        do {
            thread = try Thread(name: "webhooks") {
                var clerk = WebhookClerk(
                    store: store, lane: lane, desk: desk, retry: retry, tasks: tasks, logger: logger)
                clerk.run()
            }
        } catch {
            lane.close()
            throw error
        }
    }

    /// Ends the calls that run, writes down what came of the others, and ends the threads.
    package func close() {
        lane.close()
        desk.stop()
        thread.join()
    }
}

/// What the planning thread and the calling ones share.
private final class WebhookDesk: Sendable {
    /// Calls at once, …
    static let limit = 8
    /// … of which so many may be to receivers that failed the last time: those that do not answer must not be all.
    static let failingLimit = 4
    /// Calls at once for one tenant, …
    static let tenantLimit = 4
    /// … and of these to receivers that failed: no tenant keeps those of others waiting.
    static let tenantFailingLimit = 2

    struct State {
        /// Webhooks whose delivery runs or is not written down yet.
        var busy: [String: WebhookQueue.Due] = [:]
        var outcomes: [WebhookOutcome] = []
        var isStopping = false
    }

    // Guards what the calling threads add to.
    private let state = Mutex(State())
    private let wakeUps = Semaphore()

    var isStopping: Bool { state.withLock { $0.isStopping } }
    var busy: [String: WebhookQueue.Due] { state.withLock { $0.busy } }

    func begin(_ webhook: WebhookQueue.Due) { state.withLock { $0.busy[webhook.id] = webhook } }

    func end(_ webhooks: [String]) {
        state.withLock { state in
            for webhook in webhooks { state.busy[webhook] = nil }
        }
    }

    func finish(_ outcome: WebhookOutcome) {
        state.withLock { $0.outcomes.append(outcome) }
        wakeUps.signal()
    }

    func takeOutcomes() -> [WebhookOutcome] {
        state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// They could not be written down yet.
    func giveBack(_ outcomes: [WebhookOutcome]) { state.withLock { $0.outcomes += outcomes } }

    func stop() {
        state.withLock { $0.isStopping = true }
        wakeUps.signal()
    }

    /// Has the planning thread look again at once.
    func wakeUp() { wakeUps.signal() }

    /// Until something came in, or the time is over.
    func wait(milliseconds: Int) { _ = wakeUps.wait(milliseconds: milliseconds) }
}

/// What the planning thread does. Made on it, never leaves it.
private struct WebhookClerk {
    /// Between looks at the queue, milliseconds. Nobody has to be told that there is something in it.
    private static let pause = 500

    let store: Store
    let lane: OutboundLane
    let desk: WebhookDesk
    let retry: Int64
    let tasks: Background
    let logger: Logger
    /// Which webhooks and which tenants had their turn when, so that all get theirs.
    private var turns: [String: Int] = [:]
    private var turn = 0

    init(
        store: Store, lane: OutboundLane, desk: WebhookDesk, retry: Int64, tasks: Background, logger: Logger
    ) {
        self.store = store
        self.lane = lane
        self.desk = desk
        self.retry = retry
        self.tasks = tasks
        self.logger = logger
    }

    mutating func run() {
        while !desk.isStopping {
            attempt()
            desk.wait(milliseconds: Self.pause)
        }
        do throws(APIError) {
            try record()
        } catch {
            report(error)
        }
    }

    private mutating func attempt() {
        do throws(APIError) {
            try record()
            try sweep()
            try begin()
        } catch {
            report(error)
        }
    }

    private func report(_ error: APIError) {
        logger.log(.error, "webhooks are not delivered yet", ["detail": .string(error.detail ?? error.reason)])
    }

    // MARK: Afterwards

    private func record() throws(APIError) {
        let outcomes = desk.takeOutcomes()
        guard !outcomes.isEmpty else { return }
        let retry = retry
        let reports: [WebhookOutcome.Report]
        do throws(APIError) {
            reports = try store.writer.perform { (session) throws(APIError) -> [WebhookOutcome.Report] in
                var reports: [WebhookOutcome.Report] = []
                for outcome in outcomes { reports += try outcome.record(retry: retry, in: &session) }
                return reports
            }
        } catch {
            desk.giveBack(outcomes)
            throw error
        }
        desk.end(outcomes.map(\.delivery.webhook))
        for report in reports { report.log(to: logger) }
        if reports.contains(where: \.isRemoval) { tasks.wake() }
    }

    // MARK: Before

    /// Writes down a part of what changed for all comments of somebody at once.
    private mutating func sweep() throws(APIError) {
        let isDue = try store.withSpareLane { (lane) throws(APIError) in
            try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> Bool in
                try CommentHooks.hasSweep(in: &session)
            }
        }
        guard isDue else { return }
        try store.writer.perform { (session) throws(APIError) in try CommentHooks.sweep(in: &session) }
        // The rest comes next, without a pause.
        desk.wakeUp()
    }

    private mutating func begin() throws(APIError) {
        let busy = desk.busy
        guard busy.count < WebhookDesk.limit else { return }
        let turns = turns
        let deliveries = try store.withSpareLane { (lane) throws(APIError) in
            try lane.read(budgetMilliseconds: nil) {
                (session) throws(APIError) -> [(WebhookQueue.Due, WebhookDelivery)] in
                try Self.choose(busy, turns, in: &session)
            }
        }
        for (webhook, delivery) in deliveries {
            turn += 1
            self.turns[webhook.id] = turn
            self.turns[webhook.tenant] = turn
            begin(webhook, delivery)
        }
        // Those of long ago are as good as those that never had one.
        if self.turns.count > 10_000 { self.turns = self.turns.filter { $0.value > turn - 1000 } }
    }

    /// The tenant whose turn was longest ago comes first, and of it the webhook whose turn was.
    private static func choose(
        _ busy: [String: WebhookQueue.Due], _ turns: [String: Int], in session: inout Session
    ) throws(APIError) -> [(WebhookQueue.Due, WebhookDelivery)] {
        var running = Array(busy.values)
        var turns = turns
        var due = try WebhookQueue.due(in: &session).filter { busy[$0.id] == nil }
        var chosen: [(WebhookQueue.Due, WebhookDelivery)] = []
        while running.count < WebhookDesk.limit {
            let place = due.indices.filter { mayRun(due[$0], beside: running) }.min {
                turn(of: due[$0], turns) < turn(of: due[$1], turns)
            }
            guard let place else { return chosen }
            let webhook = due.remove(at: place)
            guard var delivery = try WebhookQueue.next(of: webhook.id, in: &session) else { continue }
            delivery.key = try TenantSQL.find(delivery.tenant, in: &session)?.keys.first
            chosen.append((webhook, delivery))
            running.append(webhook)
            turns[webhook.tenant] = .max - WebhookDesk.limit + running.count
        }
        return chosen
    }

    private static func turn(of webhook: WebhookQueue.Due, _ turns: [String: Int]) -> (Int, Int, String) {
        (turns[webhook.tenant] ?? 0, turns[webhook.id] ?? 0, webhook.id)
    }

    private static func mayRun(_ webhook: WebhookQueue.Due, beside running: [WebhookQueue.Due]) -> Bool {
        let own = running.filter { $0.tenant == webhook.tenant }
        guard own.count < WebhookDesk.tenantLimit else { return false }
        guard webhook.isFailing else { return true }
        return running.count { $0.isFailing } < WebhookDesk.failingLimit
            && own.count { $0.isFailing } < WebhookDesk.tenantFailingLimit
    }

    private func begin(_ webhook: WebhookQueue.Due, _ delivery: WebhookDelivery) {
        desk.begin(webhook)
        let desk = desk
        guard let key = delivery.key else {
            let failure = WebhookFailure("The tenant has no API key, so nothing can be signed.")
            return desk.finish(WebhookOutcome(delivery: delivery, result: .failed(failure)))
        }
        let isTaken = lane.submit { client in
            let call = WebhookCall(
                delivery.url, delivery.method, body: delivery.body, id: delivery.id, key: key,
                sendsKey: delivery.sendsKey, at: Clock.wallMilliseconds)
            desk.finish(WebhookOutcome(delivery: delivery, result: call.send(by: client)))
        }
        if !isTaken { desk.end([delivery.webhook]) }
    }
}

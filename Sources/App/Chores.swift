import API
import Domain
import Reactor
import Server
import Storage

/// What the server does besides answering, on a thread of its own.
final class Chores: Sendable {
    /// What is too old is looked for every five minutes.
    private static let roundsPerTrash = 100
    /// Between two units of the same work, milliseconds: others write too.
    private static let pause = 5
    /// What begins with the server is done after that, milliseconds.
    private static let settling = 100
    /// Units of work of one kind in one round at most.
    private static let stepsPerRound = 100

    private let stopping = Semaphore()
    private let thread: Thread

    /// Starts the thread.
    /// - Parameter started: run on it, shortly after the start.
    init(
        _ store: Store, _ views: ViewCounter, _ exports: Background, _ keys: KeyUse, _ logger: Logger,
        started: @escaping @Sendable () -> Void
    ) throws(ToolError) {
        let stopping = stopping
        do {
            thread = try Thread(name: "chores") {
                Self.complete(store, stopping, logger)
                if stopping.wait(milliseconds: Self.settling) { stopping.signal() }
                started()
                var rounds = 0
                while !stopping.wait(milliseconds: ViewCounter.interval) {
                    views.flush(into: store)
                    Self.writeUse(of: keys, store, logger)
                    Self.awardBadges(store, logger)
                    Self.removeUnverified(store, logger)
                    if rounds.isMultiple(of: Self.roundsPerTrash) {
                        Self.throwAway(store, stopping, logger)
                        Self.forgetWebhooks(store, stopping, logger)
                        // Some files may be too old.
                        exports.wake()
                    }
                    rounds += 1
                }
                views.flush(into: store)
                Self.writeUse(of: keys, store, logger)
            }
        } catch {
            throw ToolError("Cannot start a thread: \(error). Allow this user more threads.")
        }
    }

    /// Has the last views counted and ends the thread. Before the store is closed.
    func stop() {
        stopping.signal()
        thread.join()
    }

    private static func writeUse(of keys: KeyUse, _ store: Store, _ logger: Logger) {
        do {
            try keys.flush(into: store)
        } catch {
            logger.log(.error, "the use of keys is not noted", ["detail": .string(error.detail ?? error.reason)])
        }
    }

    /// To some of those who may have earned one.
    private static func awardBadges(_ store: Store, _ logger: Logger) {
        do {
            try store.withSpareLane { lane throws(APIError) in
                var steps = 0
                while steps < stepsPerRound, try BadgeAwards.advance(store, reading: lane) { steps += 1 }
            }
        } catch {
            logger.log(.error, "badges cannot be given", ["detail": .string(error.detail ?? error.reason)])
        }
    }

    /// Comments of authors who never proved their address, where the tenant wants that.
    private static func removeUnverified(_ store: Store, _ logger: Logger) {
        do {
            try store.withSpareLane { lane throws(APIError) in
                var steps = 0
                while steps < stepsPerRound, try UnverifiedComments.expire(store, reading: lane) { steps += 1 }
            }
        } catch {
            logger.log(
                .error, "unverified comments cannot be removed", ["detail": .string(error.detail ?? error.reason)])
        }
    }

    /// Everything that is too old, in small units, until the server stops.
    private static func throwAway(_ store: Store, _ stopping: Semaphore, _ logger: Logger) {
        untilDone(stopping, logger, "what is too old cannot be thrown away") { () throws(APIError) -> Bool in
            try store.writer.perform { session throws(APIError) in try Trash.expire(in: &session) }
        }
        untilDone(stopping, logger, "what is too old cannot be thrown away") { () throws(APIError) -> Bool in
            try store.writer.perform { session throws(APIError) in try AuditLog.expire(in: &session) }
        }
    }

    /// What webhooks could not be told for too long.
    private static func forgetWebhooks(_ store: Store, _ stopping: Semaphore, _ logger: Logger) {
        untilDone(stopping, logger, "old events of webhooks cannot be removed") { () throws(APIError) -> Bool in
            try store.writer.perform { session throws(APIError) in try WebhookQueue.expire(in: &session) }
        }
    }

    /// Brings in what older versions did not keep of comments.
    private static func complete(_ store: Store, _ stopping: Semaphore, _ logger: Logger) {
        do {
            try store.withSpareLane { lane throws(APIError) in
                let made = untilDone(stopping, logger, "comments cannot be made searchable") {
                    () throws(APIError) -> Bool in
                    try SearchBackfill.advance(store, reading: lane)
                }
                if made > 0 { logger.log(.info, "older comments were made searchable") }
                untilDone(stopping, logger, "the hosts of older comments cannot be found") {
                    () throws(APIError) -> Bool in
                    try DomainBackfill.advance(store, reading: lane)
                }
            }
        } catch {
            logger.log(.error, "older comments cannot be read", ["detail": .string(error.detail ?? error.reason)])
        }
    }

    /// Until a step says that it is the last one, or the server stops, which ends the last wait too.
    /// - Returns: how many others there were.
    @discardableResult
    private static func untilDone(
        _ stopping: Semaphore, _ logger: Logger, _ failure: StaticString, _ step: () throws(APIError) -> Bool
    ) -> Int {
        var steps = 0
        do {
            while try step() {
                steps += 1
                if stopping.wait(milliseconds: pause) {
                    stopping.signal()
                    return steps
                }
            }
        } catch {
            logger.log(.error, failure, ["detail": .string(error.detail ?? error.reason)])
        }
        return steps
    }
}

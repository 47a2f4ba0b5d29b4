import API
import Domain
import Reactor
import Server
import Storage

/// What the server does besides answering, on a thread of its own.
final class Chores: Sendable {
    /// The trash is looked through every five minutes.
    private static let roundsPerTrash = 100
    /// Units of work of one kind in one round at most.
    private static let stepsPerRound = 100

    private let stopping = Semaphore()
    private let thread: Thread

    /// Starts the thread.
    init(_ store: Store, _ views: ViewCounter, _ exports: Background, _ logger: Logger) throws(ToolError) {
        let stopping = stopping
        do {
            thread = try Thread(name: "chores") {
                Self.fillSearch(store, stopping, logger)
                var rounds = 0
                var reader: ReadLane?
                while !stopping.wait(milliseconds: ViewCounter.interval) {
                    views.flush(into: store)
                    Self.awardBadges(store, &reader, logger)
                    Self.removeUnverified(store, &reader, logger)
                    if rounds.isMultiple(of: Self.roundsPerTrash) {
                        Self.emptyTrash(store, logger)
                        // Some files may be too old.
                        exports.wake()
                    }
                    rounds += 1
                }
                views.flush(into: store)
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

    /// To some of those who may have earned one.
    private static func awardBadges(_ store: Store, _ reader: inout ReadLane?, _ logger: Logger) {
        do {
            let lane = try reader ?? store.makeReadLane()
            reader = lane
            var steps = 0
            while steps < stepsPerRound, try BadgeAwards.advance(store, reading: lane) { steps += 1 }
        } catch let error as APIError {
            logger.log(.error, "badges cannot be given", ["detail": .string(error.detail ?? error.reason)])
        } catch {
            logger.log(.error, "badges cannot be given", ["detail": .string("\(error)")])
        }
    }

    /// Comments of authors who never proved their address, where the tenant wants that.
    private static func removeUnverified(_ store: Store, _ reader: inout ReadLane?, _ logger: Logger) {
        do {
            let lane = try reader ?? store.makeReadLane()
            reader = lane
            var steps = 0
            while steps < stepsPerRound, try UnverifiedComments.expire(store, reading: lane) { steps += 1 }
        } catch let error as APIError {
            logger.log(
                .error, "unverified comments cannot be removed", ["detail": .string(error.detail ?? error.reason)])
        } catch {
            logger.log(.error, "unverified comments cannot be removed", ["detail": .string("\(error)")])
        }
    }

    /// A little of what was removed too long ago.
    private static func emptyTrash(_ store: Store, _ logger: Logger) {
        do {
            _ = try store.writer.perform { session throws(APIError) in try Trash.expire(in: &session) }
        } catch {
            logger.log(.error, "the trash cannot be emptied", ["detail": .string(error.detail ?? error.reason)])
        }
    }

    /// Until older comments are in the index, or the server stops, which ends the last wait too.
    private static func fillSearch(_ store: Store, _ stopping: Semaphore, _ logger: Logger) {
        do {
            let lane = try store.makeReadLane()
            var steps = 0
            while try SearchBackfill.advance(store, reading: lane) {
                if steps == 0 { logger.log(.info, "older comments are being made searchable") }
                steps += 1
                // Others write too.
                if stopping.wait(milliseconds: 5) {
                    stopping.signal()
                    return
                }
            }
            if steps > 0 { logger.log(.info, "all comments are searchable") }
        } catch let error as APIError {
            logger.log(.error, "comments cannot be made searchable", ["detail": .string(error.detail ?? error.reason)])
        } catch {
            logger.log(.error, "comments cannot be made searchable", ["detail": .string("\(error)")])
        }
    }
}

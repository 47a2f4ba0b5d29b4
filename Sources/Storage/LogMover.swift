import Reactor
import SQLite
import Synchronization

/// Moves pages of the write-ahead log into the database while the writer goes on: the writing and the syncing of a
/// thousand pages would hold up the batch that has to wait for it (https://sqlite.org/wal.html, section 3.2).
///
/// `run` by the writer's thread, which owns it; the moving is done on a thread of its own, begun when it is first needed.
final class LogMover {
    /// Pages in the log from which on they are moved, and how many more come before the next time.
    static let step = 1000
    /// Pages in the log from which on the writer moves the rest itself: only when nothing is left in it does the log begin
    /// anew.
    static let restart = 4000

    private let path: String
    private var thread: Thread?
    private let wakeUps = WorkQueue<Void>(capacity: 1)
    private let isMoving = Flag()
    private var movedTo = 0
    private var nextRestart = LogMover.restart

    init(path: String) { self.path = path }

    deinit {
        wakeUps.close()
        thread?.join()
    }

    /// After a commit. A failure costs nothing but time: the log stays longer, and the next commit tries again.
    func run(on connection: Connection) {
        let pages = connection.logPages
        if pages < movedTo {
            movedTo = 0
            nextRestart = Self.restart
        }
        guard pages >= movedTo + Self.step, !isMoving.value.load(ordering: .acquiring) else { return }
        movedTo = pages
        if pages >= nextRestart {
            nextRestart = pages + Self.step
            try? connection.checkpoint()
        } else {
            wake()
        }
    }

    private func wake() {
        isMoving.value.store(true, ordering: .releasing)
        guard wakeUps.push(()) else { return isMoving.value.store(false, ordering: .releasing) }
        guard thread == nil else { return }
        do {
            thread = try Thread(name: "log mover") { [path, wakeUps, isMoving] in
                var connection: Connection?
                while wakeUps.pop() != nil {
                    connection = Self.move(on: connection, path)
                    isMoving.value.store(false, ordering: .releasing)
                }
            }
        } catch {
            _ = wakeUps.popAll()
            isMoving.value.store(false, ordering: .releasing)
        }
    }

    /// - Returns: the connection for the next time; nil when it is no good any more.
    private static func move(on connection: Connection?, _ path: String) -> Connection? {
        do {
            let connection = if let connection { connection } else { try Connection.moving(path) }
            try connection.checkpoint()
            return connection
        } catch {
            return nil
        }
    }
}

/// An atomic that two threads share.
private final class Flag: Sendable {
    let value = Atomic(false)
}

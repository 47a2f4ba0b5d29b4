/// The numbers of a store. The defaults suit a server; tests change them.
package struct StoreOptions: Sendable {
    /// Threads for work that takes long.
    package var offloadThreads = 2
    /// Units that may wait for the writer; the next one is refused with `unavailable`.
    package var writeQueueLimit = 10_000
    /// Units that may wait for an offload thread; the next one is refused with `unavailable`.
    package var offloadQueueLimit = 1000
    /// How long the statements of one offloaded unit may take, in milliseconds.
    package var offloadBudgetMilliseconds = 30_000
    /// Units that share one transaction.
    package var batchUnits = 256
    /// How long a transaction takes further units, in microseconds.
    package var batchMicroseconds: Int64 = 5000
    /// How long the writer waits for units to come together while many are sent, in microseconds: each transaction costs
    /// its own, however much is in it.
    package var gatherMicroseconds: UInt32 = 1000
    /// Units for which it does not wait.
    package var gatheredUnits = 32
    /// How long the writer waits for another program that is writing, in milliseconds.
    package var lockMilliseconds = 5000
    /// Pages of the write-ahead log from which on they are moved into the database, after the answers of a batch.
    package var logPages = 1000
    /// Size of the write-ahead log, in bytes, past which it is emptied.
    package var logBytes = 64 << 20
    /// Events that a room keeps; a few more until the next trimming.
    package var eventsPerRoom = 5000
    /// How long events are kept, in milliseconds.
    package var eventLifetimeMilliseconds: Int64 = 7 * 24 * 3600 * 1000
    /// How long notices are kept, in milliseconds (contract: public 13.5).
    package var noticeLifetimeMilliseconds: Int64 = 365 * 24 * 3600 * 1000
    /// How far changes of tables reach, the busiest tables first; what is not named reaches everything.
    package var reach: [TableReach] = []
    /// The wall clock, milliseconds since 1970. Called on the writer's thread, on offload threads and by read lanes.
    package var clock: @Sendable () -> Int64 = { Clock.wallMilliseconds }

    /// The defaults.
    package init() {}
}

import API
import CLinux
import Glibc
import Live
import Storage

/// What the parts of the running server tell of themselves to `GET /metrics`.
struct ServerGauges: Sendable {
    let store: Store
    let hub: Hub
    let connections: @Sendable () -> Int

    @Sendable func write(to text: inout MetricsText) {
        let live = hub.counts
        text.one("parley_connections", .gauge, "Open connections, sockets among them.", connections())
        text.one("parley_sockets", .gauge, "Open WebSockets.", live.sockets)
        text.one("parley_rooms", .gauge, "Pages with an open WebSocket.", live.rooms)
        writer(&text)
        text.one("parley_offload_queue", .gauge, "Long reads that wait for a thread.", store.offload.waiting)
        text.one("parley_wal_bytes", .gauge, "Size of the write-ahead log.", Self.size(store.path + "-wal"))
        text.one("parley_database_bytes", .gauge, "Size of the database file.", Self.size(store.path))
        process(&text)
    }

    private func writer(_ text: inout MetricsText) {
        let batches = store.writer.batches.all
        text.one("parley_writer_queue", .gauge, "Changes that wait for the writer.", store.writer.waiting)
        text.one("parley_commit_failures_total", .counter, "Batches that could not be committed.", batches.failures)
        text.family("parley_commit_units", .histogram, "Changes that were committed at once.")
        text.histogram(
            "parley_commit_units", bounds: BatchCounts.bounds.map(Double.init), counts: batches.buckets,
            sum: Double(batches.units))
    }

    /// Names that every program's dashboards know.
    private func process(_ text: inout MetricsText) {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        let seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        text.family("process_cpu_seconds_total", .counter, "Time on processors.")
        text.sample("process_cpu_seconds_total", seconds)
        if let pages = Self.residentPages() {
            text.one("process_resident_memory_bytes", .gauge, "Memory in use.", pages * Int(getpagesize()))
        }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The second number of `/proc/self/statm`.
    private static func residentPages() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = fread(&bytes, 1, bytes.count, file)
        let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }
}

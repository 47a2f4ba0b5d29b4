import Glibc

/// One thing to measure. Prints a line with the CPU time of the whole process per operation, because wall time on a
/// shared machine tells of the neighbours.
struct Benchmark {
    /// What to type to run only this one, or others that share a part of the name.
    let name: String
    /// How often per round.
    let operations: Int
    /// Makes what the operation needs, hands the operation to `measure`, and clears up.
    let run: (_ measure: Measure) throws -> Void

    /// Takes an operation that does itself so many times.
    typealias Measure = (_ operation: (_ times: Int) throws -> Void) throws -> Void

    init(_ name: String, operations: Int, run: @escaping (_ measure: Measure) throws -> Void) {
        self.name = name
        self.operations = operations
        self.run = run
    }

    /// Runs one round to warm up and five to measure, and prints the cheapest.
    func measure() throws {
        try run { operation in
            try operation(max(1, operations / 10))
            var cheapest = (cpu: Double.infinity, wall: Double.infinity)
            for _ in 0..<5 {
                let (cpu, wall) = (Self.cpuMicroseconds, Self.wallMicroseconds)
                try operation(operations)
                cheapest.cpu = min(cheapest.cpu, (Self.cpuMicroseconds - cpu) / Double(operations))
                cheapest.wall = min(cheapest.wall, (Self.wallMicroseconds - wall) / Double(operations))
            }
            report(cheapest)
        }
    }

    /// Written at once: what was measured is there even if a later benchmark fails.
    private func report(_ cost: (cpu: Double, wall: Double)) {
        let line =
            pad(name, 42) + pad(rounded(cost.cpu), 9) + "CPU µs/op  " + pad(rounded(cost.wall), 9) + "wall µs/op  "
            + "\(Int(1_000_000 / cost.wall)) op/s\n"
        write(1, line, line.utf8.count)
    }

    private func rounded(_ value: Double) -> String {
        "\((value * 100).rounded() / 100)"
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static var cpuMicroseconds: Double { microseconds(CLOCK_PROCESS_CPUTIME_ID) }
    private static var wallMicroseconds: Double { microseconds(CLOCK_MONOTONIC) }

    private static func microseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
    }
}

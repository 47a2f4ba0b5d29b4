import Bytes

/// Writes metrics as Prometheus reads them (text format 0.0.4).
package struct MetricsText: Sendable {
    /// How a family of numbers behaves.
    package enum Kind: String, Sendable {
        /// Only grows, until the next start.
        case counter
        case gauge
        case histogram
    }

    private(set) var text = ""

    /// The head of a family; its samples follow.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// One number of the family.
    /// - Parameter labels: already in order; their values are escaped here.
    package mutating func sample(
        _ name: String, _ value: Double, _ labels: [(name: String, value: String)] = []
    ) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(Self.number(value))\n"
    }

    /// A family of one number.
    package mutating func one(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        family(name, kind, help)
        sample(name, Double(value))
    }

    /// A histogram that was counted by bounds.
    /// - Parameters:
    ///   - bounds: upper ends, in the unit of the name.
    ///   - counts: one for each bound and one for what was above all.
    ///   - sum: of everything that was counted, in the unit of the name.
    package mutating func histogram(
        _ name: String, _ labels: [(name: String, value: String)] = [], bounds: [Double], counts: [Int], sum: Double
    ) {
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
            sample("\(name)_bucket", Double(total), labels + [("le", bound)])
        }
        sample("\(name)_sum", sum, labels)
        sample("\(name)_count", Double(total), labels)
    }

    mutating func requests(_ rows: [String: RequestCounts.Row]) {
        let rows = rows.sorted { $0.key < $1.key }
        family("parley_requests_total", .counter, "Answers by operation and status.")
        for (name, row) in rows {
            for (status, count) in row.statuses.sorted(by: { $0.key < $1.key }) {
                sample("parley_requests_total", Double(count), [("operation", name), ("status", String(status))])
            }
        }
        family(
            "parley_request_seconds", .histogram, "From the end of a request's head to the queueing of its answer.")
        let bounds = RequestCounts.bounds.map { Double($0) / 1e6 }
        for (name, row) in rows {
            histogram(
                "parley_request_seconds", [("operation", name)], bounds: bounds, counts: row.buckets,
                sum: Double(row.sum) / 1e6)
        }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for character in value {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

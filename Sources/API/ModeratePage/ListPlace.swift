import Domain
import Storage

/// Behind which entry a part of one of the page's own lists begins: those in order of a time, the latest first. It holds
/// when the entry is gone.
struct ListPlace: Sendable {
    /// Entries of one part when the request says nothing, and at most.
    private static let usual: Int64 = 50
    static let most: Int64 = 200

    /// Milliseconds since 1970.
    let time: Int64
    /// Tells entries of one time apart.
    let key: String

    /// Before everything.
    static let start = ListPlace(time: .max, key: "")

    var text: String { "\(time).\(key)" }

    init(time: Int64, key: String) {
        self.time = time
        self.key = key
    }

    /// The query parameter `after`, as an earlier answer gave it.
    /// - Throws: `invalid-input` (400).
    init(_ call: Call) throws(APIError) {
        guard let text = call.text("after") else {
            self = .start
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), time >= 0 else {
            throw .invalidInput("The query parameter after is none of an answer.")
        }
        self.init(time: time, key: String(parts[1]))
    }

    /// How many entries the request asks for.
    /// - Throws: `invalid-input` (400).
    static func count(_ call: Call) throws(APIError) -> Int {
        let count = try call.integer("count") ?? usual
        guard (1...most).contains(count) else {
            throw .invalidInput("The query parameter count must be 1 to \(most).")
        }
        return Int(count)
    }
}

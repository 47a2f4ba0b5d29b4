import JSON
import TestSupport
import Testing

/// A thread so deep that whatever recurses or is quadratic in depth falls over.
@Suite struct DeepThreadTests {
    private static let depth = 10_000

    @Test(.timeLimit(.minutes(5)))
    func aChainOfTenThousandIsReadAndDeletedWhileOthersRead() throws {
        let folder = try Folder(isInMemory: true)
        let scene = try Scene(page: "deep", in: folder)
        let ann = try scene.reader(.ann)
        var chain = [try ann.posted("0")]
        // One answer after the other is like the first.
        ann.client.checksContract = false
        while chain.count < Self.depth {
            chain.append(try ann.posted("\(chain.count)", replyingTo: chain[chain.count - 1]))
        }
        _ = try ann.on("beside").posted("Beside")
        // Nested deeper than any check of ours reads.
        try readAsTree(ann, chain)
        ann.client.checksContract = true
        #expect(try ann.everything().compactMap(\.id) == chain)
        #expect(try ann.comments(["countAll": "true"])["commentCount"] == .integer(Int64(Self.depth)))

        let live = try ann.listen()
        let longest = try beside(scene) {
            let answer = try ann.delete(chain[0])
            #expect(answer.isSuccess, "\(answer.status): \(answer.text)")
        }
        #expect(longest < .seconds(2), "another page waited \(longest)")
        #expect(try ann.list().isEmpty, "the rows below go later, the thread is right at once")
        var told: [String] = []
        while told.count < chain.count { told += [try live.event("deleted-comment").subject].compactMap(\.self) }
        #expect(told == chain.reversed())
        #expect(try ann.comments(["countAll": "true"])["commentCount"] == 0)
        #expect(try scene.server.terminate() == .status(0))
        withExtendedLifetime(folder) {}
    }

    private func readAsTree(_ reader: Reader, _ chain: [String]) throws {
        for query: QueryItems in [["maxTreeDepth": "99999", "limit": "999999"], [:]] {
            let answer = try reader.comments(["asTree": "true", "countChildren": "true", "countAll": "true"] + query)
            #expect(answer.status == 200)
            let shape = Nesting(answer.body)
            #expect(shape.isClosed)
            #expect(shape.depth == 2 * chain.count + 2, "the last one has an empty list")
            var rest = answer.text[...]
            var ids: [String] = []
            while let start = rest.firstRange(of: "\"_id\":\"") {
                rest = rest[start.upperBound...]
                ids.append(String(rest.prefix { $0 != "\"" }))
            }
            #expect(ids == chain)
        }
        let few = try reader.comments(["asTree": "true", "maxTreeDepth": "7", "countChildren": "true"])
        #expect(Nesting(few.body).depth == 2 * 8 + 1)
    }

    /// Reads and writes another page while `work` goes on.
    /// - Returns: the longest wait for an answer.
    private func beside(_ scene: Scene, _ work: () throws -> Void) throws -> Duration {
        let waits = Gathered<Duration>()
        let end = Gathered<Bool>()
        let finish = Crowd.start(3) { _ in
            while end.all.isEmpty {
                let reader = try scene.reader(nil, at: "beside")
                let began = ContinuousClock.now
                #expect(try reader.comments()["commentCount"] == 1)
                waits.add(began.duration(to: .now))
            }
        }
        try waits.wait(for: 5)
        try work()
        end.add(true)
        try finish()
        return try #require(waits.all.max())
    }
}

/// How deep brackets stand in a JSON text.
private struct Nesting {
    private(set) var depth = 0
    private(set) var isClosed = false

    init(_ bytes: [UInt8]) {
        var current = 0
        var isText = false
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "{"), UInt8(ascii: "["): if !isText { current += 1 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if !isText { current -= 1 }
            default: break
            }
            depth = max(depth, current)
        }
        isClosed = current == 0 && !isText
    }
}

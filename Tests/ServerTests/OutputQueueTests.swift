import Glibc
import Testing

@testable import Server

@Suite struct OutputQueueTests {
    /// Sends as a kernel would that takes `step` bytes a call.
    private func drain(_ queue: inout OutputQueue, step: Int, pieces: Int = 4) -> [UInt8] {
        let vectors = UnsafeMutableBufferPointer<iovec>.allocate(capacity: pieces)
        defer { vectors.deallocate() }
        var sent: [UInt8] = []
        while true {
            queue.pull()
            guard !queue.isEmpty else { return sent }
            let offered = queue.withPieces(vectors) {
                $0.flatMap { UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len) }
            }
            let taken = offered.prefix(step)
            #expect(!taken.isEmpty)
            sent += taken
            queue.consume(taken.count)
        }
    }

    private func stream(_ pieces: [[UInt8]], ended: @escaping (Int) -> Void = { _ in }) -> ResponseStream {
        nonisolated(unsafe) var rest = pieces[...]
        return ResponseStream({ rest.popFirst() }, isChunked: false, ended: ended)
    }

    @Test(arguments: 1...12)
    func bytesComeOutInOrderHoweverTheyAreTaken(_ step: Int) {
        var queue = OutputQueue()
        queue.append([1, 2, 3])
        queue.append(FrameBatch([[4], [5, 6], [7]]))
        queue.append([])
        queue.append(stream([[8, 9], [], [10]]))
        queue.append(FrameBatch([[11, 12]]))
        #expect(queue.entryCount == 4)
        #expect(queue.byteCount == 3 + 1 + 2)
        #expect(drain(&queue, step: step) == Array(1...12))
        #expect(queue.byteCount == 0)
        #expect(queue.entryCount == 0)
    }

    @Test func manyEntriesAreTakenInPieces() {
        var queue = OutputQueue()
        for number in 0..<1000 { queue.append([UInt8(number & 255), 0, UInt8(number >> 8)]) }
        let sent = drain(&queue, step: 7)
        #expect(sent.count == 3000)
        for number in 0..<1000 { #expect(Int(sent[number * 3]) | Int(sent[number * 3 + 2]) << 8 == number) }
    }

    @Test func aBatchCountsAsItsCurrentFrame() {
        var queue = OutputQueue()
        queue.append(FrameBatch([[1, 2], [3, 4, 5], [6]]))
        #expect(queue.byteCount == 2)
        queue.consume(1)
        #expect(queue.byteCount == 1)
        queue.consume(1)
        #expect(queue.byteCount == 3)
        queue.consume(4)
        #expect(queue.byteCount == 0)
        #expect(queue.isEmpty)
    }

    @Test func discardingKeepsTheRestOfAFrameInFlightAndWhatIsHTTP() {
        var queue = OutputQueue()
        queue.append([1, 2])
        queue.append(FrameBatch([[3, 4], [5]]))
        queue.append(FrameBatch([6]))
        var untouched = queue
        untouched.discardFrames()
        #expect(untouched.byteCount == 2)
        #expect(drain(&untouched, step: 10) == [1, 2])
        queue.consume(3)
        queue.discardFrames()
        #expect(queue.byteCount == 1)
        queue.append(FrameBatch([9]))
        #expect(drain(&queue, step: 10) == [4, 9])
    }

    @Test func discardingBetweenTwoFramesKeepsNeither() {
        var queue = OutputQueue()
        queue.append(FrameBatch([[3, 4], [5]]))
        queue.consume(2)
        queue.discardFrames()
        #expect(queue.isEmpty)
        #expect(queue.byteCount == 0)
    }

    @Test func aStreamLearnsOnceThatItHasEnded() {
        var ends: [Int] = []
        var queue = OutputQueue()
        queue.append(stream([[1], [2, 3]], ended: { ends.append($0) }))
        _ = drain(&queue, step: 10)
        #expect(ends == [3])
        queue.append(stream([[1], [2]], ended: { ends.append($0) }))
        queue.pull()
        queue.removeAll()
        #expect(ends == [3, 1])
        #expect(queue.isEmpty)
    }
}

import HTTP1
import Testing
import WebSocket

@testable import Server

/// A machine and the requests that go in, with a clock that only the test moves.
@Suite struct ConnectionStateMachineTests {
    private var machine = ConnectionStateMachine(ServerConfiguration(), now: 0)

    private func head(_ text: String = "GET /x HTTP/1.1\r\nhost: a\r\n") throws -> RequestHead {
        var parser = RequestParser()
        var position = 0
        guard case .head(let head) = parser.next([UInt8]("\(text)\r\n".utf8).span, &position) else {
            throw Client.Failure(description: "no head in \(text)")
        }
        return head
    }

    private mutating func request(at now: Int64 = 0) throws -> UInt32 {
        let sequence = machine.headReceived(try head(), now: now, nanoseconds: 0)
        machine.requestReceived(now: now)
        return sequence
    }

    private mutating func nextSequence() -> UInt32? {
        if case .final(let exchange, _, _) = machine.nextReply(now: 0) { exchange.sequence } else { nil }
    }

    private let reply = ConnectionStateMachine.Reply.response(Response(status: 200))

    @Test mutating func repliesComeInTheOrderOfRequestsAndOnlyOnce() throws {
        let sequences = [try request(), try request(), try request()]
        #expect(machine.replyReady(sequences[2], reply) == true)
        #expect(nextSequence() == nil)
        #expect(machine.replyReady(sequences[0], reply) == true)
        #expect(machine.replyReady(sequences[0], reply) == false)
        #expect(nextSequence() == sequences[0])
        #expect(machine.replyReady(sequences[0], reply) == false)
        #expect(machine.replyReady(sequences[1], reply) == true)
        #expect(nextSequence() == sequences[1])
        #expect(nextSequence() == sequences[2])
        #expect(!machine.isFinished)
    }

    @Test mutating func inputStopsAtTheLimitAndGoesOnBelowIt() throws {
        for number in 0..<64 {
            #expect(machine.takesInput(), "request \(number)")
            _ = try request()
        }
        #expect(!machine.takesInput())
        _ = machine.replyReady(0, reply)
        _ = nextSequence()
        #expect(machine.takesInput())
    }

    @Test mutating func finishedAnswersStopInputBeyondTheLimitWhereverTheyWait() throws {
        let (first, second) = (try request(), try request())
        let limit = ServerConfiguration().responseBytesQueued
        let full = Response(status: 200, body: .bytes([UInt8](repeating: 1, count: limit)))
        _ = machine.replyReady(second, .response(full))
        #expect(machine.takesInput())
        #expect(!machine.takesInput(besides: 1))
        _ = machine.replyReady(first, .response(Response(status: 200, body: .bytes([1]))))
        #expect(!machine.takesInput())
        #expect(nextSequence() == first)
        #expect(machine.takesInput())
        #expect(nextSequence() == second)
        #expect(machine.takesInput(besides: limit))
        #expect(!machine.takesInput(besides: limit + 1))
    }

    @Test mutating func aRequestThatHasBegunIsReadToItsEnd() throws {
        machine.headPaused(now: 0)
        #expect(machine.takesRequest(besides: .max))
        _ = machine.headReceived(try head(), now: 0, nanoseconds: 0)
        #expect(machine.takesRequest(besides: .max))
        machine.requestReceived(now: 0)
        #expect(!machine.takesInput(besides: .max))
    }

    @Test mutating func theNextRequestWaitsForTheAnswerThatIsOwed() throws {
        #expect(machine.takesRequest())
        let sequence = try request()
        #expect(machine.takesInput())
        #expect(!machine.takesRequest())
        _ = machine.replyReady(sequence, reply)
        #expect(machine.takesRequest())
        #expect(nextSequence() == sequence)
        #expect(machine.takesRequest())
    }

    @Test mutating func theHeadTimeoutRunsFromTheFirstByte() {
        #expect(machine.timeout?.at == 75_000)
        machine.headPaused(now: 5000)
        machine.headPaused(now: 9000)
        #expect(machine.timeout?.at == 15_000)
        #expect(machine.timeout?.1 == .request)
    }

    @Test mutating func theBodyTimeoutRunsFromTheLastByteButTheWholeMustNotBeTooSlow() throws {
        _ = machine.headReceived(try head(), now: 1000, nanoseconds: 0)
        #expect(machine.timeout?.at == 31_000)
        machine.bodyReceived(2560, now: 20_000)
        #expect(machine.timeout?.at == 41_000)
        machine.bodyReceived(1, now: 40_000)
        // 30 s from the start at 1 s, and ten more for 2561 bytes at 256 bytes a second.
        #expect(machine.timeout?.at == 41_003)
    }

    @Test mutating func aLeasedBodyMustComeFaster() throws {
        _ = machine.headReceived(try head(), now: 1000, nanoseconds: 0)
        machine.requireLeasedPace()
        machine.bodyReceived(40_960, now: 30_000)
        // 30 s from the start at 1 s, and ten more for 40960 bytes at 4096 bytes a second.
        #expect(machine.timeout?.at == 41_000)
        machine.requestReceived(now: 30_000)
        _ = machine.headReceived(try head(), now: 30_000, nanoseconds: 0)
        machine.bodyReceived(2560, now: 59_000)
        #expect(machine.timeout?.at == 70_000)
    }

    @Test mutating func anIdleConnectionWaitsFromItsLastAnswerAndNotWhileTheApplicationWorks() throws {
        let sequence = try request(at: 1000)
        #expect(machine.timeout == nil)
        _ = machine.replyReady(sequence, reply)
        _ = machine.nextReply(now: 50_000)
        #expect(machine.timeout?.at == 125_000)
        #expect(machine.timeout?.1 == .idle)
    }

    @Test mutating func nobodyIsTimedOutWhileWaitingForA100() throws {
        let first = try request()
        _ = machine.headReceived(try head(), now: 0, nanoseconds: 0)
        machine.continueExpected()
        #expect(machine.timeout == nil)
        _ = machine.replyReady(first, reply)
        _ = nextSequence()
        guard case .interim = machine.nextReply(now: 40_000) else {
            Issue.record("no 100")
            return
        }
        #expect(machine.timeout?.at == 70_000)
        guard case .nothing = machine.nextReply(now: 40_000) else {
            Issue.record("two of them")
            return
        }
    }

    @Test mutating func drainingFinishesWhatHasBegun() throws {
        let first = try request()
        _ = machine.headReceived(try head(), now: 0, nanoseconds: 0)
        machine.drain()
        #expect(machine.takesInput())
        machine.requestReceived(now: 0)
        #expect(!machine.takesInput())
        _ = machine.replyReady(first, reply)
        _ = machine.replyReady(first + 1, reply)
        guard case .final(_, _, keepsAlive: true) = machine.nextReply(now: 0),
            case .final(_, _, keepsAlive: false) = machine.nextReply(now: 0)
        else {
            Issue.record("wrong end")
            return
        }
        #expect(machine.isFinished)
    }

    @Test mutating func theEndOfInputForgetsTheUnfinishedRequestOnly() throws {
        let first = try request()
        let second = machine.headReceived(try head(), now: 0, nanoseconds: 0)
        machine.inputEnded()
        #expect(machine.replyReady(second, reply) == false)
        #expect(!machine.isFinished)
        _ = machine.replyReady(first, reply)
        guard case .final(_, _, keepsAlive: false) = machine.nextReply(now: 0) else {
            Issue.record("kept alive")
            return
        }
        #expect(machine.isFinished)
    }

    @Test mutating func anAnswerThatEndsTheConnectionIsTheLast() throws {
        let sequences = [try request(), try request()]
        _ = machine.replyReady(sequences[0], .response(Response(status: 200, closesConnection: true)))
        _ = machine.replyReady(sequences[1], reply)
        guard case .final(_, _, keepsAlive: false) = machine.nextReply(now: 0) else {
            Issue.record("kept alive")
            return
        }
        #expect(nextSequence() == nil)
        #expect(machine.isFinished)
    }
}

@Suite struct WebSocketStateMachineTests {
    private var machine: WebSocketStateMachine = {
        var timeouts = ServerConfiguration.Timeouts()
        timeouts.ping = 100
        timeouts.close = 40
        return WebSocketStateMachine(timeouts, now: 1000)
    }()

    @Test mutating func twoUnansweredPingsCloseTheSocket() {
        #expect(machine.timeReached(now: 1099) == .nothing)
        #expect(machine.timeReached(now: 1100) == .ping)
        #expect(machine.timeReached(now: 1200) == .ping)
        #expect(machine.isOpen)
        #expect(machine.timeReached(now: 1300) == .closeSilent)
        #expect(!machine.isOpen)
        machine.closeSent(now: 1300)
        #expect(machine.deadline == 1340)
        #expect(machine.timeReached(now: 1339) == .nothing)
        #expect(machine.timeReached(now: 1340) == .hangUp)
        #expect(machine.deadline == nil)
    }

    @Test mutating func anySignOfLifeCounts() {
        for now in stride(from: Int64(1100), through: 2000, by: 100) {
            #expect(machine.timeReached(now: now) == .ping)
            machine.heard()
        }
    }

    @Test mutating func theirCloseIsEchoedOnce() {
        #expect(machine.closeReceived(.goingAway) == .send(.goingAway))
        #expect(machine.closeReceived(.goingAway) == .nothing)
        #expect(machine.close() == false)
    }

    @Test mutating func theTimeForTheirCloseRunsFromWhenOursHasLeft() {
        machine.closeSent(now: 1000)
        #expect(machine.isOpen)
        #expect(machine.close() == true)
        #expect(machine.deadline == nil)
        #expect(machine.timeReached(now: 50_000) == .nothing)
        machine.closeSent(now: 50_000)
        machine.closeSent(now: 50_030)
        #expect(machine.deadline == 50_040)
        #expect(machine.timeReached(now: 50_040) == .hangUp)
    }

    @Test mutating func theirAnswerToOurCloseEndsTheSocket() {
        #expect(machine.close() == true)
        #expect(machine.close() == false)
        #expect(machine.awaitsClose)
        #expect(machine.closeReceived(.normal) == .hangUp)
        #expect(!machine.awaitsClose)
    }

    @Test mutating func afterABreachTheirCloseIsNotAwaited() {
        #expect(machine.failed(.protocolError) == .send(.protocolError))
        #expect(!machine.awaitsClose)
        #expect(machine.failed(.protocolError) == .hangUp)
    }
}

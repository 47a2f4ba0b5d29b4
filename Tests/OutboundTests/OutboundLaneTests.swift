import Outbound
import Synchronization
import TestSupport
import Testing

@Suite struct OutboundLaneTests {
    @Test func jobsRunOnTheThreadsOfTheLane() throws {
        let server = try StandIn { _ in StandIn.answer() }
        let client = try OutboundClient(policy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        let lane = try OutboundLane(client, name: "test", threads: 2, queueLimit: 8)
        let (done, gate) = (Counter(), Gate())
        for _ in 0..<5 {
            let isQueued = lane.submit { client in
                if (try? client.send(OutboundRequest(server.url())))?.status == 200 { done.add() }
                if done.value == 5 { gate.open() }
            }
            #expect(isQueued)
        }
        gate.wait()
        lane.close()
        lane.close()
        #expect(done.value == 5 && server.requests.count == 5)
    }

    @Test func noMoreThanTheLimitWait() throws {
        let (client, gate, started) = (try OutboundClient(), Gate(), Gate())
        let lane = try OutboundLane(client, name: "test", threads: 1, queueLimit: 2)
        #expect(
            lane.submit { _ in
                started.open()
                gate.wait()
            })
        started.wait()
        #expect(lane.submit { _ in } && lane.submit { _ in })
        #expect(!lane.submit { _ in })
        gate.open()
        lane.close()
        #expect(!lane.submit { _ in })
    }

    @Test func closingEndsTheCallsThatRunAndThoseThatWait() throws {
        let arrived = Gate()
        let server = try StandIn { _ in
            arrived.open()
            return [.wait]
        }
        let client = try OutboundClient(policy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        let lane = try OutboundLane(client, name: "test", threads: 1, queueLimit: 2)
        let results = Results()
        for _ in 0..<2 {
            let isQueued = lane.submit { client in
                do throws(OutboundError) {
                    _ = try client.send(OutboundRequest(server.url()))
                } catch {
                    results.add(error)
                }
            }
            #expect(isQueued)
        }
        arrived.wait()
        lane.close()
        #expect(results.all == [.unavailable, .unavailable])
    }

    private final class Results: Sendable {
        private let errors = Mutex<[OutboundError]>([])
        var all: [OutboundError] { errors.withLock { $0 } }
        func add(_ error: OutboundError) { errors.withLock { $0.append(error) } }
    }
}

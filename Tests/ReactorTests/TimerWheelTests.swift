import Testing

@testable import Reactor

@Suite struct TimerWheelTests {
    /// 64 buckets of 4 ms: a turn is 256 ms.
    private var wheel = TimerWheel<Int>(now: 1000, tickMilliseconds: 4, buckets: 64)

    private mutating func fire(at now: Int64) -> [Int] {
        wheel.due(now: now).compactMap { wheel.remove($0) }
    }

    @Test mutating func aTimerIsDueAtItsDeadlineAndNotOneMillisecondEarlier() {
        _ = wheel.arm(deadline: 1020, 7)
        #expect(fire(at: 1019) == [])
        #expect(fire(at: 1020) == [7])
        #expect(fire(at: 1300) == [])
        #expect(wheel.count == 0)
    }

    @Test mutating func aTimerIsAtMostOneTickLate() {
        for offset in 1...300 { _ = wheel.arm(deadline: 1000 + Int64(offset), offset) }
        for now in Int64(1000)...1304 {
            for offset in fire(at: now) { #expect((0...4).contains(Int(now) - 1000 - offset)) }
        }
        #expect(wheel.count == 0)
    }

    @Test mutating func dueTimersComeEarliestFirstEvenAfterALongSleep() {
        for deadline in [Int64(5000), 1100, 1300, 1101, 1000] { _ = wheel.arm(deadline: deadline, Int(deadline)) }
        #expect(fire(at: 4000) == [1000, 1100, 1101, 1300])
        #expect(fire(at: 9000) == [5000])
    }

    @Test mutating func aRemovedTimerIsNeverDueAndItsNameFitsNoOther() {
        let first = wheel.arm(deadline: 1050, 1)
        #expect(wheel.remove(first) == 1)
        #expect(wheel.remove(first) == nil)
        let second = wheel.arm(deadline: 1050, 2)
        #expect(wheel.remove(first) == nil)
        #expect(first != second)
        #expect(fire(at: 1100) == [2])
    }

    @Test mutating func aTimerOfTheSameBatchCanBeRemovedByAnEarlierOne() {
        _ = wheel.arm(deadline: 1010, 1)
        let later = wheel.arm(deadline: 1012, 2)
        let due = wheel.due(now: 1020)
        #expect(due.count == 2)
        #expect(wheel.remove(due[0]) == 1)
        #expect(wheel.remove(later) == 2)
        #expect(wheel.remove(due[1]) == nil)
    }

    @Test mutating func theNextDeadlineIsNeverAfterATimerNorBeforeTheCurrentTick() {
        #expect(wheel.nextDeadline == nil)
        for delay in [Int64(1), 4, 63, 255, 256, 257, 10_000] {
            let timer = wheel.arm(deadline: 1000 + delay, 0)
            let next = wheel.nextDeadline
            #expect(next.map { $0 >= 1000 && $0 <= 1000 + delay + 3 } == true, "delay \(delay)")
            wheel.remove(timer)
        }
    }

    @Test mutating func sleepingUntilTheNextDeadlineReachesAFarTimerInAFewTurns() {
        _ = wheel.arm(deadline: 1000 + 256 * 5 + 40, 9)
        var now: Int64 = 1000
        var wakeUps = 0
        while fire(at: now).isEmpty {
            let next = wheel.nextDeadline
            #expect(next.map { $0 > now } == true)
            now = next ?? .max
            wakeUps += 1
        }
        #expect(now == 1000 + 256 * 5 + 40)
        #expect(wakeUps <= 7)
    }

    @Test mutating func randomUseAgreesWithASortedList() {
        var seed: UInt64 = 42
        func random(_ bound: UInt64) -> Int64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((seed >> 33) % bound)
        }
        var armed: [Int: (deadline: Int64, timer: TimerID)] = [:]
        var now: Int64 = 1000
        for number in 0..<5000 {
            let deadline = now + random(1000)
            armed[number] = (deadline, wheel.arm(deadline: deadline, number))
            if random(3) == 0, let victim = armed.keys.min(), let removed = armed.removeValue(forKey: victim) {
                #expect(wheel.remove(removed.timer) == victim)
            }
            now += random(9)
            for fired in fire(at: now) {
                let deadline = armed.removeValue(forKey: fired)?.deadline
                #expect(deadline.map { $0 <= now } == true)
            }
            #expect(armed.values.allSatisfy { $0.deadline > now - 9 - 4 })
            #expect(wheel.count == armed.count)
        }
    }
}

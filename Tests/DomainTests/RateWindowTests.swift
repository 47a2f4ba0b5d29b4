import Domain
import Testing

@Suite struct RateWindowTests {
    @Test func `the limit passes and one past it waits`() {
        var window = RateWindow(limit: 5, milliseconds: 60_000)
        for moment in 0..<5 {
            #expect(window.wait("a", at: Int64(moment)) == nil)
            window.note("a", at: Int64(moment))
        }
        #expect(window.wait("a", at: 10) == 59_990)
        #expect(window.wait("b", at: 10) == nil)
        #expect(window.wait("a", at: 59_999) == 1)
        #expect(window.wait("a", at: 60_000) == nil)
        window.note("a", at: 60_000)
        #expect(window.wait("a", at: 60_000) == 1)
    }

    @Test func `a limit of zero lets nothing through`() {
        var window = RateWindow(limit: 0, milliseconds: 1000)
        #expect(window.wait("a", at: 0) == 1000)
        window.note("a", at: 0)
        #expect(window.wait("a", at: 5000) == 1000)
        #expect(RateWindow(limit: 3, milliseconds: 50).wait("a", at: 0, limit: 0) == 50)
    }

    @Test func `a look may have its own limit`() {
        var window = RateWindow(limit: 1, milliseconds: 1000)
        for moment in [0, 100, 200] as [Int64] { window.note("a", at: moment) }
        #expect(window.wait("a", at: 300, limit: 4) == nil)
        #expect(window.wait("a", at: 300, limit: 3) == 700)
        #expect(window.wait("a", at: 300, limit: 2) == 800)
        #expect(window.wait("a", at: 300) == 900)
    }

    @Test func `past the bound the oldest windows make room`() {
        var window = RateWindow(limit: 1, milliseconds: 100, maximumKeys: 2)
        window.note("a", at: 0)
        window.note("b", at: 50)
        #expect(window.wait("a", at: 60) == 40)
        window.note("c", at: 120)
        #expect(window.wait("b", at: 120) == 30)
        #expect(window.wait("c", at: 120) == 100)
        window.note("d", at: 121)
        #expect([window.wait("b", at: 121), window.wait("c", at: 121)].contains(nil))
        #expect(window.wait("d", at: 121) == 100)
    }
}

import Domain
import Testing

/// How often something may happen at once and in the long run.
@Suite struct RateBucketTests {
    @Test func itIsFullAtFirstAndFillsUpSlowly() {
        var bucket = RateBucket(capacity: 3, perMinute: 60)
        for _ in 1...3 { #expect(bucket.take("a", at: 1000) == nil) }
        #expect(bucket.take("a", at: 1000) == 1000)
        #expect(bucket.take("b", at: 1000) == nil, "others are not concerned")
        #expect(bucket.take("a", at: 1999) == 1)
        #expect(bucket.take("a", at: 2000) == nil)
        #expect(bucket.take("a", at: 2000) == 1000)
        for _ in 1...3 { #expect(bucket.take("a", at: 1_000_000) == nil) }
        #expect(bucket.take("a", at: 1_000_000) != nil)
    }

    @Test func aClockThatGoesBackGivesNothing() {
        var bucket = RateBucket(capacity: 1, perMinute: 60)
        #expect(bucket.take("a", at: 5000) == nil)
        #expect(bucket.take("a", at: 1000) == 1000)
        #expect(bucket.take("a", at: 5999) == 1)
        #expect(bucket.take("a", at: 6000) == nil)
    }

    @Test func itForgetsWhomItHasNoRoomFor() {
        var bucket = RateBucket(capacity: 1, perMinute: 60, maximumKeys: 2)
        for key in ["a", "b", "c", "d"] { #expect(bucket.take(key, at: 1000) == nil) }
    }
}

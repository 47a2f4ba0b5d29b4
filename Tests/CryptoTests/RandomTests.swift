import Bytes
import Crypto
import Testing

@Suite struct RandomTests {
    @Test(arguments: [0, 1, 16, 1000])
    func bytesHaveTheirCount(_ count: Int) {
        #expect(SecureRandom.bytes(count).count == count)
    }

    @Test func valuesDoNotRepeat() {
        let tokens = Set((0..<1000).map { _ in SecureRandom.token(16) })
        #expect(tokens.count == 1000)
        #expect(tokens.first?.count == 22)
    }

    @Test func keysUseTheirWholeAlphabetAndNothingElse() {
        let text = SecureRandom.upperAlphanumeric(10_000)
        #expect(text.count == 10_000)
        #expect(Set(text) == Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
    }

    @Test func comparisonFindsEveryDifference() {
        let secret = [UInt8](0..<64)
        #expect(constantTimeEquals(secret, secret))
        #expect(constantTimeEquals([], []))
        #expect(!constantTimeEquals(secret, [UInt8](secret.dropLast())))
        for index in secret.indices {
            var other = secret
            other[index] ^= 1
            #expect(!constantTimeEquals(secret, other))
        }
    }
}

import Compression
import Testing

/// RFC 7692, section 7.2.
@Suite struct MessageDeflateTests {
    private static let hello = [UInt8]("Hello".utf8)

    /// Numbers that no compressor makes shorter.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test(arguments: [0, 1, 199, 255, 256, 257, 511, 512, 513, 4095, 4096, 4097, 32_768, 100_000])
    func whatGoesInComesOut(_ count: Int) throws {
        let words = (0..<count).map { [UInt8]("event ".utf8)[$0 % 6] }
        for plain in [words, Self.noise(count)] {
            let packed = try #require(MessageDeflate.packed(plain[...]))
            #expect(try MessageDeflate.plain(packed, limit: count) == plain)
            guard count > 0 else { continue }
            #expect(throws: MessageDeflate.Failure.tooLong) { try MessageDeflate.plain(packed, limit: count - 1) }
        }
    }

    @Test(
        arguments: [
            // The examples of the standard: one block, one that is not compressed, one that says it is the last, and two.
            [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]])
    func theExamplesOfTheStandardAreUnderstood(_ packed: [UInt8]) throws {
        #expect(try MessageDeflate.plain(packed, limit: 5) == Self.hello)
        #expect(throws: MessageDeflate.Failure.tooLong) { try MessageDeflate.plain(packed, limit: 4) }
    }

    @Test func anEmptyMessageIsAnEmptyBlock() throws {
        #expect(MessageDeflate.packed([]) == [0])
        #expect(try MessageDeflate.plain([0], limit: 0) == [])
    }

    @Test(arguments: [[0xFF], [0x06, 0x01], [0xF2, 0x48, 0xCD], [], [0x00, 0x05, 0x00, 0xFA]] as [[UInt8]])
    func whatNoCompressorWritesIsMalformed(_ packed: [UInt8]) {
        #expect(throws: MessageDeflate.Failure.malformed) { try MessageDeflate.plain(packed, limit: 1000) }
    }

    @Test func aBombIsUnpackedNoFurtherThanTheLimit() throws {
        let packed = try #require(MessageDeflate.packed([UInt8](repeating: 0, count: 10_000_000)[...]))
        #expect(packed.count < 11_000)
        #expect(throws: MessageDeflate.Failure.tooLong) { try MessageDeflate.plain(packed, limit: 1024) }
    }
}

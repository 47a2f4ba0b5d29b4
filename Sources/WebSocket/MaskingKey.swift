import Bytes

/// The four bytes that a client mixes into its payload (RFC 6455, section 5.3). Masking and unmasking are the same.
package struct MaskingKey: Sendable, Equatable {
    /// First byte lowest, so that it meets the first payload byte in a little-endian word.
    private let word: UInt32

    /// The key in wire order.
    package init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        word = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16 | UInt32(fourth) << 24
    }

    /// The key in wire order.
    package var bytes: [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    /// Mixes the key into `bytes[range]`. `offset` is the place of the first of them in the frame's payload.
    package func apply(to bytes: inout [UInt8], in range: Range<Int>, offset: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        let turn = UInt32(offset & 3) * 8
        let turned = turn == 0 ? word : word >> turn | word << (32 - turn)
        let wide = UInt64(turned) | UInt64(turned) << 32
        var index = range.lowerBound
        var span = bytes.mutableSpan
        while index < range.upperBound, (range.upperBound - index) & 7 != 0 {
            let place = UInt32((index - range.lowerBound) & 3) * 8
            span[index] ^= UInt8(truncatingIfNeeded: turned >> place)
            index += 1
        }
        let skipped = UInt64((index - range.lowerBound) & 3) * 8
        let key = (skipped == 0 ? wide : wide >> skipped | wide << (64 - skipped)).littleEndian
        // SAFETY: bytes have no padding and take any value; all loads lie in the range, which the precondition keeps
        // within the array, because a multiple of eight bytes is left here.
        var raw = unsafe span.mutableBytes
        while index < range.upperBound {
            let masked = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            raw.storeBytes(of: masked ^ key, toByteOffset: index, as: UInt64.self)
            index += 8
        }
    }
}

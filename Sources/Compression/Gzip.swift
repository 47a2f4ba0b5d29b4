import CZlib

/// Files of one compressed piece between plain ones (RFC 1952).
package enum Gzip {
    /// Deflate, no name, no time, unknown system (section 2.3).
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    /// Bytes that fit into one block that is not compressed (RFC 1951, section 3.2.4).
    private static let largestBlock = 65_535

    /// Lays a piece between what stays as it is. Copies, and reads `before` and `after` once for their checksum.
    package static func file(
        before: ArraySlice<UInt8>, _ piece: DeflatedPiece, after: ArraySlice<UInt8>
    ) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(before.count + piece.count + after.count + 64)
        file += header
        appendBlocks(of: before, areLast: false, to: &file)
        file += piece.bytes
        appendBlocks(of: after, areLast: true, to: &file)
        let together = crc32_combine(checksum(0, before), piece.checksum, piece.plainCount)
        append(UInt32(truncatingIfNeeded: checksum(together, after)), to: &file)
        append(UInt32(truncatingIfNeeded: before.count + piece.plainCount + after.count), to: &file)
        return file
    }

    /// CRC-32 of bytes that follow others.
    /// - Parameter checksum: of the others; 0 for none.
    static func checksum(_ checksum: UInt, _ bytes: ArraySlice<UInt8>) -> UInt {
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return checksum }
            return crc32_z(checksum, start, bytes.count)
        }
    }

    private static func appendBlocks(of bytes: ArraySlice<UInt8>, areLast: Bool, to file: inout [UInt8]) {
        var rest = bytes
        repeat {
            let block = rest.prefix(largestBlock)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            file.append(areLast && rest.isEmpty ? 1 : 0)
            for number in [count, ~count] { file += [UInt8(number & 0xff), UInt8(number >> 8)] }
            file += block
        } while !rest.isEmpty
    }

    private static func append(_ number: UInt32, to file: inout [UInt8]) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) { file.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

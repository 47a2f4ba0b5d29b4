import CZlib

/// Bytes that were compressed by themselves, to be laid into answers (RFC 1951): they refer to nothing before them, and
/// other pieces may follow. Usable on any thread.
package struct DeflatedPiece: Sendable {
    /// Compressed; ends on a whole byte.
    let bytes: [UInt8]
    /// CRC-32 of the plain bytes (RFC 1952, section 8).
    let checksum: UInt
    /// Of the plain bytes.
    package let plainCount: Int

    /// Of the compressed bytes.
    package var count: Int { bytes.count }

    /// Compresses on the calling thread, about a millisecond for each 50 KB. Nil when there is no memory.
    /// - Parameter level: 1, fast, to 9, small.
    package init?(_ plain: [UInt8], level: Int32 = 6) {
        var stream = z_stream()
        // Negative: without a header of its own.
        guard parley_deflate_init(&stream, level, -15, 8) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // What a flush adds beyond the bound is six bytes at most.
        let capacity = Int(deflateBound(&stream, UInt(plain.count))) + 16
        var isWhole = false
        bytes = plain.withUnsafeBufferPointer { plain in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                stream.next_in = UnsafeMutablePointer(mutating: plain.baseAddress)
                stream.avail_in = UInt32(plain.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                isWhole = deflate(&stream, Z_FULL_FLUSH) == Z_OK && stream.avail_in == 0 && stream.avail_out > 0
                count = capacity - Int(stream.avail_out)
            }
        }
        guard isWhole else { return nil }
        checksum = Gzip.checksum(0, plain[...])
        plainCount = plain.count
    }
}

import CZlib

/// Messages that are compressed each by itself, without the empty block that ends a flush (RFC 7692, section 7.2).
/// Usable on any thread; nothing is kept between messages.
package enum MessageDeflate {
    /// Why a message cannot be had.
    package enum Failure: Error, Sendable, Equatable {
        /// Not what a compressor writes, or cut short.
        case malformed
        /// The plain message exceeds the limit. No more than the limit was unpacked.
        case tooLong
    }

    /// Ends what a flush wrote; not sent (section 7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xff, 0xff]

    /// Compresses on the calling thread, about 20 microseconds for each KB. Nil when there is no memory.
    package static func packed(_ plain: ArraySlice<UInt8>) -> [UInt8]? {
        var stream = z_stream()
        let windowBits = windowBits(for: plain.count)
        // Small messages need but small tables. Negative: without a header of its own.
        guard parley_deflate_init(&stream, 6, -windowBits, windowBits - 7) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // What a flush adds beyond the bound is six bytes at most.
        let capacity = Int(deflateBound(&stream, UInt(plain.count))) + 16
        var isWhole = false
        var packed = plain.withUnsafeBufferPointer { plain in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                stream.next_in = UnsafeMutablePointer(mutating: plain.baseAddress)
                stream.avail_in = UInt32(plain.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                isWhole = deflate(&stream, Z_SYNC_FLUSH) == Z_OK && stream.avail_in == 0 && stream.avail_out > 0
                count = capacity - Int(stream.avail_out)
            }
        }
        guard isWhole, packed.suffix(tail.count) == tail[...] else { return nil }
        packed.removeLast(tail.count)
        return packed
    }

    /// Nothing in a message can refer to what lies further back than its length.
    private static func windowBits(for count: Int) -> Int32 {
        let bits = Int.bitWidth - max(count - 1, 1).leadingZeroBitCount
        // One more, because a compressor does not use all of its window.
        return Int32(min(max(bits + 1, 9), 15))
    }

    /// Unpacks on the calling thread.
    /// - Parameter limit: of the plain message, in bytes; exactly so many pass.
    package static func plain(_ packed: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .malformed
        }
        defer { inflateEnd(&stream) }
        var result = Z_OK
        let plain = (packed + tail).withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: limit + 1) { output, count in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(limit + 1)
                repeat {
                    result = inflate(&stream, Z_SYNC_FLUSH)
                    // A message may have a last block, and then another (section 7.2.3.5).
                    if result == Z_STREAM_END, stream.avail_in > 0 { result = inflateReset(&stream) }
                } while result == Z_OK && stream.avail_in > 0 && stream.avail_out > 0
                count = limit + 1 - Int(stream.avail_out)
            }
        }
        guard plain.count <= limit else { throw .tooLong }
        // 128: all that was begun has ended, and a block could begin.
        guard result == Z_OK, stream.avail_in == 0, stream.data_type & 128 != 0 else { throw .malformed }
        return plain
    }
}

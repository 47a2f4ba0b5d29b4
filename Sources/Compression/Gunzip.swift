import CZlib

extension Gzip {
    /// The plain bytes of a file; nil when it is none, is cut short, is followed by something, or holds more than the
    /// limit.
    package static func plain(_ file: [UInt8], limit: Int) -> [UInt8]? {
        var stream = z_stream()
        // 16 more: with the header of gzip, whose checksum zlib verifies.
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var result = Z_OK
        let plain = file.withUnsafeBufferPointer { file in
            [UInt8](unsafeUninitializedCapacity: limit + 1) { output, count in
                stream.next_in = UnsafeMutablePointer(mutating: file.baseAddress)
                stream.avail_in = UInt32(file.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(limit + 1)
                result = inflate(&stream, Z_FINISH)
                count = limit + 1 - Int(stream.avail_out)
            }
        }
        guard result == Z_STREAM_END, stream.avail_in == 0, plain.count <= limit else { return nil }
        return plain
    }
}

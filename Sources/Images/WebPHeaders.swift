/// The chunks of a WebP (RFC 9649), without what they hold.
enum WebPHeaders {
    /// What is lossless, moves or has transparency is decoded as a whole.
    private static let canvasBytes = 4

    /// The size by the first chunk, and the number of pictures.
    static func read(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageSize {
        if bytes.has("VP8X", at: 12) { return try extended(bytes) }
        if bytes.has("VP8L", at: 12) { return try lossless(bytes, at: 20) }
        if bytes.has("VP8 ", at: 12) { return try lossy(bytes, at: 20) }
        throw .broken("no WebP header")
    }

    private static func extended(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageSize {
        guard let width = bytes.littleEndian(3, at: 24), let height = bytes.littleEndian(3, at: 27), bytes.count > 20
        else { throw .broken("no WebP header") }
        var size = ImageSize(width: width + 1, height: height + 1)
        size.bytesHeld = canvasBytes
        let isAnimated = bytes[20] & 0x02 != 0
        var position = 12
        while let length = bytes.littleEndian(4, at: position + 4) {
            if isAnimated ? bytes.has("ANMF", at: position) : isPicture(bytes, position) { size.frames += 1 }
            position += 8 + length + length & 1
        }
        return size
    }

    private static func isPicture(_ bytes: Span<UInt8>, _ position: Int) -> Bool {
        bytes.has("VP8 ", at: position) || bytes.has("VP8L", at: position)
    }

    private static func lossy(_ bytes: Span<UInt8>, at position: Int) throws(ImageFault) -> ImageSize {
        guard bytes.has([0x9D, 0x01, 0x2A], at: position + 3), let width = bytes.littleEndian(2, at: position + 6),
            let height = bytes.littleEndian(2, at: position + 8)
        else { throw .broken("no WebP header") }
        return ImageSize(width: width & 0x3FFF, height: height & 0x3FFF, frames: 1)
    }

    private static func lossless(_ bytes: Span<UInt8>, at position: Int) throws(ImageFault) -> ImageSize {
        guard bytes.has([0x2F], at: position), let bits = bytes.littleEndian(4, at: position + 1) else {
            throw .broken("no WebP header")
        }
        var size = ImageSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1, frames: 1)
        size.bytesHeld = canvasBytes
        return size
    }
}

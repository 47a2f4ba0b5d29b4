/// The chunks of a PNG (PNG specification, section 11), without what they hold.
enum PNGHeaders {
    /// The size by the first chunk; the end by the last.
    static func read(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageSize {
        guard bytes.has("IHDR", at: 12), let width = bytes.bigEndian(4, at: 16),
            let height = bytes.bigEndian(4, at: 20), bytes.count > 28,
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .broken("no PNG header") }
        var size = ImageSize(width: width, height: height, frames: 1)
        size.bytesPerPixel = channels(colourType: bytes[25]) * (bytes[24] > 8 ? 2 : 1)
        // What is interlaced is only whole at the end, and is then held once more while its transparency is applied.
        if bytes[28] != 0 { size.bytesHeld = 2 * size.bytesPerPixel }
        size.isCut = !hasEnd(bytes)
        return size
    }

    /// With the one for transparency, which a later chunk may add.
    private static func channels(colourType: UInt8) -> Int { colourType == 0 || colourType == 4 ? 2 : 4 }

    private static func hasEnd(_ bytes: Span<UInt8>) -> Bool {
        var position = 8
        while let length = bytes.bigEndian(4, at: position) {
            // Type before, checksum behind.
            if bytes.has("IEND", at: position + 4) { return position + 12 + length <= bytes.count }
            position += 12 + length
        }
        return false
    }
}

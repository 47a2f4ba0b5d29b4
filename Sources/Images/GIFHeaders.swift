/// The blocks of a GIF (GIF89a specification), without what they hold.
enum GIFHeaders {
    /// Counts the pictures up to the trailer or the end of the file.
    static func read(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageSize {
        guard let width = bytes.littleEndian(2, at: 6), let height = bytes.littleEndian(2, at: 8), bytes.count > 10
        else {
            throw .broken("no GIF header")
        }
        var size = ImageSize(width: width, height: height)
        // The canvas, and a copy to go back to.
        size.bytesHeld = 8
        var position = 13 + tableBytes(bytes[10])
        while position < bytes.count {
            switch bytes[position] {
            case 0x2C:
                guard let left = bytes.littleEndian(2, at: position + 1),
                    let top = bytes.littleEndian(2, at: position + 3),
                    let width = bytes.littleEndian(2, at: position + 5),
                    let height = bytes.littleEndian(2, at: position + 7), position + 9 < bytes.count
                else { return cut(size) }
                size.width = max(size.width, left + width)
                size.height = max(size.height, top + height)
                size.frames += 1
                position = endOfSubBlocks(bytes, from: position + 11 + tableBytes(bytes[position + 9]))
            case 0x21:
                position = endOfSubBlocks(bytes, from: position + 2)
            case 0x3B:
                return size
            default:
                // Some writers leave zeros between blocks.
                position += 1
            }
        }
        return cut(size)
    }

    private static func cut(_ size: ImageSize) -> ImageSize {
        var size = size
        size.isCut = true
        return size
    }

    /// The colour table that follows packed flags.
    private static func tableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func endOfSubBlocks(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.count {
            let length = Int(bytes[position])
            position += length + 1
            if length == 0 { break }
        }
        return position
    }
}

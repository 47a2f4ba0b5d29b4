import Bytes

/// What the first look at a file tells: the format by its first bytes, and the size by its headers. Nothing is decoded,
/// so that a small file cannot cost much. Pure.
package struct ImageProbe: Sendable, Equatable {
    /// By the content, whatever the file is called.
    package let format: ImageFormat
    /// Pixels, as stored: before any rotation. Of an animation, the larger of canvas and frames.
    package let width: Int
    /// Pixels, as `width`.
    package let height: Int
    /// 1 for a picture that does not move.
    package let frames: Int

    /// Looks at a file and holds it against the limits.
    ///
    /// Damage behind the headers is left to the decoder to find; but of a GIF that is cut off it would show what is there.
    package init(_ bytes: Span<UInt8>, limits: ImageLimits = ImageLimits()) throws(ImageFault) {
        guard let format = Self.format(bytes) else { throw .unknownFormat }
        var size = ImageSize()
        switch format {
        case .jpeg: size = try JPEGHeaders.read(bytes, limits: limits)
        case .png: size = try Self.png(bytes)
        case .gif: size = try GIFHeaders.read(bytes)
        case .webp: size = try WebPHeaders.read(bytes)
        }
        guard size.width > 0, size.height > 0 else { throw .broken("a side of zero") }
        self.format = format
        width = size.width
        height = size.height
        frames = max(1, size.frames)
        guard frames <= limits.frames, width * height <= limits.pixels, width * height * frames <= limits.pixels else {
            throw .tooBig
        }
        guard size.frames > 0 else { throw .broken("no picture") }
        guard !size.isCut else { throw .broken("the end is missing") }
    }

    private static func format(_ bytes: Span<UInt8>) -> ImageFormat? {
        if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
        if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return .gif }
        if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return .webp }
        return nil
    }

    /// PNG specification, section 11.2.2: the header is the first chunk.
    private static func png(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageSize {
        guard bytes.has("IHDR", at: 12), let width = bytes.bigEndian(4, at: 16),
            let height = bytes.bigEndian(4, at: 20),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .broken("no PNG header") }
        return ImageSize(width: width, height: height, frames: 1)
    }
}

/// What headers say.
struct ImageSize {
    var width = 0
    var height = 0
    var frames = 0
    /// Whether the file ends too soon, where no decoder would mind.
    var isCut = false
}

extension Span<UInt8> {
    func has(_ text: StaticString, at offset: Int) -> Bool { has(Array(String(describing: text).utf8), at: offset) }

    func has(_ expected: [UInt8], at offset: Int) -> Bool {
        guard count - offset >= expected.count else { return false }
        for index in expected.indices where self[offset + index] != expected[index] { return false }
        return true
    }

    /// A number of so many bytes, the most significant first; nil past the end.
    func bigEndian(_ size: Int, at offset: Int) -> Int? {
        guard count - offset >= size else { return nil }
        return (0..<size).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }

    /// A number of so many bytes, the least significant first; nil past the end.
    func littleEndian(_ size: Int, at offset: Int) -> Int? {
        guard count - offset >= size else { return nil }
        return (0..<size).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}

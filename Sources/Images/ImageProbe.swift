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
    /// Bytes that the decoder holds at one time, at most, beside a few lines of pixels.
    package let decoderBytes: Int

    /// Pixels of all frames.
    package var pixels: Int { width * height * frames }

    /// Looks at a file and holds it against the limits.
    ///
    /// Damage behind the headers is left to the decoder to find; but a GIF or a PNG that is cut off it would show.
    package init(_ bytes: Span<UInt8>, limits: ImageLimits = ImageLimits()) throws(ImageFault) {
        guard let format = Self.format(bytes) else { throw .unknownFormat }
        var size = ImageSize()
        switch format {
        case .jpeg: size = try JPEGHeaders.read(bytes, limits: limits)
        case .png: size = try PNGHeaders.read(bytes)
        case .gif: size = try GIFHeaders.read(bytes)
        case .webp: size = try WebPHeaders.read(bytes)
        }
        guard size.width > 0, size.height > 0 else { throw .broken("a side of zero") }
        self.format = format
        width = size.width
        height = size.height
        frames = max(1, size.frames)
        let pixels = frames > 1 ? limits.movingPixels : limits.pixels
        guard frames <= limits.frames, width * height <= limits.pixels, width * height * frames <= pixels else {
            throw .tooBig
        }
        decoderBytes = width * height * size.bytesHeld
        guard decoderBytes <= limits.decoderBytes, width * height * size.passes <= limits.scannedPixels,
            width * height * frames * size.bytesPerPixel <= limits.decodedBytes
        else { throw .tooCostly }
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
}

/// What headers say.
struct ImageSize {
    var width = 0
    var height = 0
    var frames = 0
    /// Whether the file ends too soon, where no decoder would mind.
    var isCut = false
    /// Bytes of one decoded pixel.
    var bytesPerPixel = 4
    /// Bytes for each pixel of one frame that the decoder holds before it gives any; 0 when it gives line by line.
    var bytesHeld = 0
    /// How often the decoder goes through the picture.
    var passes = 1
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

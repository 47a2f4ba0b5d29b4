/// What an image may measure before anything of it is decoded.
package struct ImageLimits: Sendable {
    /// Width × height × frames.
    package var pixels = 50_000_000
    /// The same of an animation: its frames are costly to encode.
    package var movingPixels = 30_000_000
    /// Pixels × channels × bytes for each.
    package var decodedBytes = 200_000_000
    /// Pictures of an animation.
    package var frames = 1000
    /// Scans of a JPEG: each costs as much as a whole picture, and cameras write a dozen.
    package var scans = 100
    /// Pixels that all scans of a JPEG go through together.
    package var scannedPixels = 600_000_000
    /// Bytes that the decoder holds at one time: a progressive photo of 40 megapixels, or of 20 with its colours at full
    /// size.
    package var decoderBytes = 120_000_000

    /// The numbers above.
    package init() {}
}

/// How long an image is worked on.
package struct ImagePatience: Sendable {
    /// For all sizes together, milliseconds; four times as long when others keep the processors from this program.
    package let milliseconds: Int
    /// Asked again and again, on any thread; once true, the work ends.
    package let isUnwanted: @Sendable () -> Bool

    /// - Parameter isUnwanted: must be quick.
    package init(milliseconds: Int = 15_000, isUnwanted: @escaping @Sendable () -> Bool = { false }) {
        self.milliseconds = milliseconds
        self.isUnwanted = isUnwanted
    }
}

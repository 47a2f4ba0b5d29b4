/// The markers of a JPEG (ITU-T T.81, annex B), without what is between them.
enum JPEGHeaders {
    /// Reads to the end of the picture; what follows it is of no interest.
    static func read(_ bytes: Span<UInt8>, limits: ImageLimits) throws(ImageFault) -> ImageSize {
        var size = ImageSize()
        var scans = 0
        var position = 2
        var coefficientBytes = 0
        while let marker = nextMarker(bytes, &position), marker != 0xD9 {
            // Restarts and others that stand alone.
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard let length = bytes.bigEndian(2, at: position), length >= 2 else { break }
            if isFrame(marker) {
                guard size.frames == 0, let height = bytes.bigEndian(2, at: position + 3),
                    let width = bytes.bigEndian(2, at: position + 5)
                else { throw .broken("a frame header of a JPEG") }
                size = ImageSize(width: width, height: height, frames: 1)
                coefficientBytes = Self.coefficientBytes(bytes, at: position + 7)
            }
            if marker == 0xDA {
                scans += 1
                guard scans <= limits.scans else { throw .broken("more than \(limits.scans) scans") }
            }
            position += length
        }
        // Of one scan, nothing is kept.
        if scans > 1 { size.bytesHeld = coefficientBytes }
        size.passes = max(1, scans)
        return size
    }

    /// SOF0 to SOF15; C4, C8 and CC are tables and reserved.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    /// Two for each sample, rounded up to whole pixels: colours at half size take 3 bytes a pixel, at full size 6.
    private static func coefficientBytes(_ bytes: Span<UInt8>, at position: Int) -> Int {
        guard let count = bytes.bigEndian(1, at: position) else { return 0 }
        let factors = (0..<count).compactMap { bytes.bigEndian(1, at: position + 2 + 3 * $0) }
        let samples = factors.reduce(0) { $0 + ($1 >> 4) * ($1 & 15) }
        let pixels = (factors.map { $0 >> 4 }.max() ?? 0) * (factors.map { $0 & 15 }.max() ?? 0)
        return pixels > 0 ? (2 * samples + pixels - 1) / pixels : 0
    }

    /// Skips what is no marker, as decoders do: compressed data, where FF is followed by 00, and garbage.
    private static func nextMarker(_ bytes: Span<UInt8>, _ position: inout Int) -> UInt8? {
        while position + 1 < bytes.count {
            let marker = bytes[position + 1]
            guard bytes[position] == 0xFF, marker != 0x00, marker != 0xFF else {
                position += 1
                continue
            }
            position += 2
            return marker
        }
        return nil
    }
}

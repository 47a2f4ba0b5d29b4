import Images
import TestSupport
import Testing

/// Macros do not take a span.
func probe(_ bytes: some Sequence<UInt8>) throws(ImageFault) -> ImageProbe { try ImageProbe(Array(bytes).span) }

/// What the headers of an image say, before anything is decoded.
@Suite struct ImageProbeTests {
    @Test(
        arguments: [
            ("photo.jpg", .jpeg, 1600, 1200, 1), ("rotated.jpg", .jpeg, 60, 40, 1),
            ("progressive.jpg", .jpeg, 64, 48, 1),
            ("picture.png", .png, 40, 30, 1), ("moving.gif", .gif, 120, 80, 5), ("still.webp", .webp, 50, 30, 1),
            ("moving.webp", .webp, 90, 60, 3),
        ] as [(String, ImageFormat, Int, Int, Int)])
    func headersTellFormatAndSize(_ file: String, _ format: ImageFormat, _ width: Int, _ height: Int, _ frames: Int)
        throws
    {
        let found = try probe(TestImage.file(file))
        #expect(found.format == format && found.frames == frames && [found.width, found.height] == [width, height])
    }

    @Test(
        arguments: [
            "", "hello, world, this is text", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<html><img>", "GIF88a..",
            "\u{0}\u{0}\u{0}\u{18}ftypheic\u{0}\u{0}\u{0}\u{0}", "RIFF....AVI ", "BM......", "%PDF-1.7",
        ])
    func otherFormatsAreUnknown(_ text: String) {
        #expect(throws: ImageFault.unknownFormat) { try probe(Array(text.utf8)) }
    }

    @Test func pixelsHaveALimit() throws {
        #expect(try probe(TestImage.pngHeader(10_000, 5000)).width == 10_000)
        #expect(throws: ImageFault.tooBig) { try probe(TestImage.pngHeader(10_000, 5001)) }
        #expect(throws: ImageFault.tooBig) { try probe(TestImage.pngHeader(0x7FFF_FFFF, 0x7FFF_FFFF)) }
        #expect(throws: ImageFault.tooBig) { try probe(TestImage.gif(65535, 65535, frames: 1)) }
    }

    @Test func aHeaderOfFourteenBytesIsEnoughToRefuse() {
        let header = Array("GIF87a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
        #expect(throws: ImageFault.tooBig) { try probe(header) }
    }

    @Test func framesMultiplyPixels() throws {
        #expect(try probe(TestImage.gif(300, 100, frames: 1000)).pixels == 30_000_000)
        #expect(throws: ImageFault.tooBig) { try probe(TestImage.gif(301, 100, frames: 1000)) }
        #expect(throws: ImageFault.tooBig) { try probe(TestImage.gif(1, 1, frames: 1001)) }
    }

    @Test func aFrameMayNotExceedTheLimitBesideItsCanvas() {
        #expect(throws: ImageFault.tooBig) { try probe(TestImage.gif(1, 1, frames: 1, at: (60_000, 60_000))) }
    }

    @Test func scansHaveALimit() throws {
        #expect(try probe(TestImage.jpegHeader(8, 8, scans: 100)).frames == 1)
        #expect(throws: ImageFault.broken("more than 100 scans")) {
            try probe(TestImage.jpegHeader(8, 8, scans: 101))
        }
    }

    @Test func decodedBytesHaveALimit() throws {
        #expect(try probe(TestImage.pngHeader(5000, 5000, depth: 16, colourType: 6)).decoderBytes == 0)
        #expect(throws: ImageFault.tooCostly) { try probe(TestImage.pngHeader(5001, 5000, depth: 16, colourType: 6)) }
    }

    @Test func whatTheDecoderHoldsHasALimit() throws {
        let interlaced = { TestImage.pngHeader($0, 3000, isInterlaced: true) }
        #expect(try probe(interlaced(5000)).decoderBytes == 120_000_000)
        #expect(throws: ImageFault.tooCostly) { try probe(interlaced(5001)) }

        #expect(try probe(TestImage.gif(5000, 3000, frames: 1)).decoderBytes == 120_000_000)
        #expect(throws: ImageFault.tooCostly) { try probe(TestImage.gif(5001, 3000, frames: 1)) }

        for (sampling, width) in [([0x11, 0x11, 0x11], 5000), ([0x22, 0x11, 0x11], 10_000)] as [([UInt8], UInt16)] {
            let progressive = { TestImage.jpegHeader($0, 4000, scans: 10, sampling: sampling) }
            #expect(try probe(progressive(width)).decoderBytes == 120_000_000)
            #expect(throws: ImageFault.tooCostly) { try probe(progressive(width + 1)) }
        }
        #expect(
            try probe(TestImage.jpegHeader(10_000, 5000, scans: 1, sampling: [0x11, 0x11, 0x11])).decoderBytes == 0)
    }

    @Test func theScansOfAJPEGMayNotGoThroughTooManyPixels() throws {
        #expect(try probe(TestImage.jpegHeader(3000, 2000, scans: 100)).frames == 1)
        #expect(throws: ImageFault.tooCostly) { try probe(TestImage.jpegHeader(3001, 2000, scans: 100)) }
    }

    @Test func aPNGMustHaveItsEnd() throws {
        let image = try TestImage.file("picture.png")
        #expect(throws: ImageFault.broken("the end is missing")) { try probe(image.dropLast(12)) }
        #expect(throws: ImageFault.broken("the end is missing")) { try probe(image.dropLast(1)) }
        #expect(try probe(image + [1, 2, 3]).width == 40)
    }

    @Test func aSideOfZeroIsBroken() {
        #expect(throws: ImageFault.broken("a side of zero")) { try probe(TestImage.pngHeader(0, 5)) }
        #expect(throws: ImageFault.broken("a side of zero")) { try probe(TestImage.jpegHeader(5, 0, scans: 1)) }
    }

    @Test(arguments: ["photo.jpg", "picture.png", "moving.gif", "still.webp", "moving.webp"])
    func everyCutIsFoundOrLeftToTheDecoder(_ file: String) throws {
        let bytes = try TestImage.file(file)
        let whole = try probe(bytes)
        for length in 0..<min(bytes.count, 2000) {
            guard let cut = try? probe(Array(bytes[..<length])) else { continue }
            #expect(cut.width == whole.width && cut.height == whole.height && cut.frames <= whole.frames)
            #expect(cut.format != .gif && cut.format != .png)
        }
    }
}

import Images
import Synchronization
import TestSupport
import Testing

/// Decoding and encoding, with the library itself.
@Suite struct RenditionTests {
    private static let boxes = [480, 1000, 4096].map { ImageBox(width: $0, height: 4096) }

    private static func renditions(_ bytes: [UInt8], _ boxes: [ImageBox] = boxes) throws(ImageFault) -> [Rendition] {
        let probe = try ImagesTests.probe(bytes)
        return try ImageLibrary().renditions(of: bytes[...], probe: probe, boxes: boxes)
    }

    @Test func widthsAreMadeInTheFormatOfTheOriginal() throws {
        let renditions = try Self.renditions(TestImage.file("photo.jpg"))
        #expect(renditions.map { [$0.width, $0.height] } == [[480, 360], [1000, 750], [1600, 1200]])
        for rendition in renditions {
            let probe = try ImagesTests.probe(rendition.bytes)
            #expect(probe.format == .jpeg && probe.width == rendition.width && probe.height == rendition.height)
        }
    }

    @Test(arguments: ["picture.png", "still.webp", "progressive.jpg"])
    func smallImagesAreNotEnlarged(_ file: String) throws {
        let bytes = try TestImage.file(file)
        let probe = try ImagesTests.probe(bytes)
        let renditions = try Self.renditions(bytes)
        #expect(renditions.map { [$0.width, $0.height] } == [[probe.width, probe.height]])
        let made = try ImagesTests.probe(renditions[0].bytes)
        #expect(made.format == probe.format && made.frames == probe.frames)
        #expect([made.width, made.height] == [probe.width, probe.height])
    }

    @Test(arguments: ["moving.gif", "moving.webp"])
    func animationsKeepTheirFrames(_ file: String) throws {
        let bytes = try TestImage.file(file)
        let probe = try ImagesTests.probe(bytes)
        let half = ImageBox(width: probe.width / 2, height: 4096)
        let renditions = try Self.renditions(bytes, [half] + Self.boxes)
        #expect(
            renditions.map { [$0.width, $0.height] } == [
                [probe.width / 2, probe.height / 2], [probe.width, probe.height],
            ])
        for rendition in renditions { #expect(try ImagesTests.probe(rendition.bytes).frames == probe.frames) }
    }

    @Test func aRotatedPhotoIsTurnedUprightAndTellsNothing() throws {
        let original = try TestImage.file("rotated.jpg")
        #expect(original.contains("SECRET-PLACE") && original.contains("SECRET-COMMENT"))
        let rendition = try #require(Self.renditions(original).first)
        #expect([rendition.width, rendition.height] == [40, 60])
        #expect(!rendition.bytes.contains("SECRET") && !rendition.bytes.contains("Exif"))
    }

    @Test(arguments: ["photo.jpg", "picture.png", "moving.gif", "still.webp", "moving.webp"])
    func aTruncatedImageIsBroken(_ file: String) throws {
        let bytes = try TestImage.file(file)
        for length in [bytes.count / 2, bytes.count * 9 / 10] {
            #expect(throws: ImageFault.self) { _ = try Self.renditions(Array(bytes[..<length])) }
        }
    }

    @Test func headersWithoutAPictureAreBroken() {
        #expect(throws: ImageFault.self) { _ = try Self.renditions(TestImage.pngHeader(10_000, 5000)) }
        #expect(throws: ImageFault.self) { _ = try Self.renditions(TestImage.jpegHeader(8000, 6000, scans: 1)) }
    }

    @Test(arguments: ["photo.jpg", "moving.gif"])
    func anImageThatNobodyWantsIsNotFinished(_ file: String) throws {
        let bytes = try TestImage.file(file)
        let probe = try ImagesTests.probe(bytes)
        let library = try ImageLibrary()
        for (patience, fault) in [
            (ImagePatience(isUnwanted: { true }), .unwanted), (ImagePatience(milliseconds: -1), .tooSlow),
        ] as [(ImagePatience, ImageFault)] {
            #expect(throws: fault) {
                _ = try library.renditions(of: bytes[...], probe: probe, boxes: Self.boxes, patience: patience)
            }
        }
        #expect(try library.renditions(of: bytes[...], probe: probe, boxes: Self.boxes).isEmpty == false)
    }

    @Test func workEndsWithinAnImage() throws {
        let bytes = TestImage.gif(160, 150, frames: 1000)
        let asked = Mutex(0)
        let patience = ImagePatience {
            asked.withLock {
                $0 += 1; return $0 > 20
            }
        }
        let probe = try ImagesTests.probe(bytes)
        #expect(throws: ImageFault.unwanted) {
            _ = try ImageLibrary().renditions(of: bytes[...], probe: probe, boxes: Self.boxes, patience: patience)
        }
    }

    @Test func whatFollowsThePictureIsDropped() throws {
        let tail = Array("PK\u{3}\u{4}<script>alert(1)</script>".utf8)
        for file in ["photo.jpg", "moving.gif", "picture.png"] {
            let renditions = try Self.renditions(TestImage.file(file) + tail)
            #expect(renditions.allSatisfy { !$0.bytes.contains("<script>") })
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}

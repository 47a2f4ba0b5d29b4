import Glibc

/// Images for tests: files of the folder `Tests/ImagesTests/images`, and headers of any size without a picture.
package enum TestImage {
    /// A file by its name, for example `photo.jpg`.
    package static func file(_ name: String) throws -> [UInt8] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/Tests/ImagesTests/images/\(name)"
        guard let file = fopen(path, "rb") else { throw StartFault("there is no \(path)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    /// Writes a file, so that something lies in a server's folder that it did not put there.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "wb") else { throw StartFault("cannot write \(path)") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw StartFault("cannot write \(path)") }
    }

    /// Signature, header and end of a PNG.
    package static func pngHeader(
        _ width: UInt32, _ height: UInt32, depth: UInt8 = 8, colourType: UInt8 = 2, isInterlaced: Bool = false
    ) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + bytes(width) + bytes(height) + [depth, colourType, 0, 0, isInterlaced ? 1 : 0, 0, 0, 0, 0]
            + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    }

    /// Frame header of a JPEG and so many scans without content.
    /// - Parameter sampling: the factors of each component; one of grey if not told.
    package static func jpegHeader(
        _ width: UInt16, _ height: UInt16, scans: Int, sampling: [UInt8] = [0x11]
    ) -> [UInt8] {
        var image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC2, 0, UInt8(8 + 3 * sampling.count), 8]
        image += [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        image.append(UInt8(sampling.count))
        for (index, factors) in sampling.enumerated() { image += [UInt8(index + 1), factors, 0] }
        for _ in 0..<scans { image += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0] }
        return image + [0xFF, 0xD9]
    }

    /// A GIF whose frames are one pixel each, at some place.
    package static func gif(_ width: Int, _ height: Int, frames: Int, at place: (Int, Int) = (0, 0)) -> [UInt8] {
        let low = { (number: Int) in [UInt8(number & 255), UInt8(number >> 8)] }
        var image = Array("GIF89a".utf8) + low(width) + low(height) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for _ in 0..<frames {
            image += [0x21, 0xF9, 4, 4, 7, 0, 0, 0, 0x2C] + low(place.0) + low(place.1) + [1, 0, 1, 0, 0]
            image += [2, 2, 0x44, 1, 0]
        }
        return image + [0x3B]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

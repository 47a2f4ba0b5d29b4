import CVips

/// One size of an image, encoded.
package struct Rendition: Sendable {
    /// Pixels, as the file says.
    package let width: Int
    /// Pixels of one picture, also of an animation.
    package let height: Int
    /// The file.
    package let bytes: [UInt8]
}

/// A box that an image is fitted into. Images are never made larger.
package struct ImageBox: Sendable, Equatable {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int

    /// Both at least 1.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

extension ImageLibrary {
    /// Decodes an image once for each box and encodes it anew in its own format: upright, in sRGB, animated if it was,
    /// and without anything beside the pixels. Boxes that give the same size give one rendition.
    ///
    /// Takes as long as the image is large, a second or more.
    ///
    /// - Parameter probe: of the same bytes.
    /// - Returns: smallest first, when the boxes are.
    /// - Throws: `broken`, or `tooBig` when the library finds more than the probe saw.
    package func renditions(
        of bytes: ArraySlice<UInt8>, probe: ImageProbe, boxes: [ImageBox], limits: ImageLimits = ImageLimits()
    ) throws(ImageFault) -> [Rendition] {
        // SAFETY: no image outlives the closure, and none is written to.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(ImageFault) -> [Rendition] in
                let source = Source(bytes: buffer, options: probe.format.loadOptions)
                try check(source, limits)
                var renditions: [Rendition] = []
                for box in boxes {
                    let next = try rendition(of: source, probe.format, box, unlessSizeOf: renditions.last)
                    if let next { renditions.append(next) }
                }
                return renditions
            }
        }
        return try result.get()
    }

    private struct Source {
        let bytes: UnsafeRawBufferPointer
        let options: String
    }

    /// The library may read a header differently: what it would decode counts.
    private func check(_ source: Source, _ limits: ImageLimits) throws(ImageFault) {
        guard
            let image = withUnsafePointer(
                to: vips,
                {
                    parley_vips_open($0, source.bytes.baseAddress, source.bytes.count, source.options)
                })
        else { throw fault() }
        defer { vips.object_unref(UnsafeMutableRawPointer(image)) }
        let frames = Int(vips.image_get_n_pages(image))
        let pixels = Int(vips.image_get_width(image)) * Int(vips.image_get_page_height(image))
        guard frames <= limits.frames, pixels * frames <= limits.pixels else { throw .tooBig }
    }

    private func rendition(
        of source: Source, _ format: ImageFormat, _ box: ImageBox, unlessSizeOf last: Rendition?
    ) throws(ImageFault) -> Rendition? {
        var image: OpaquePointer?
        let isFitted = withUnsafePointer(to: vips) {
            parley_vips_fit(
                $0, source.bytes.baseAddress, source.bytes.count, source.options, Int32(box.width), Int32(box.height),
                &image)
        }
        guard isFitted == 0, let image else { throw fault() }
        defer { vips.object_unref(UnsafeMutableRawPointer(image)) }
        let (width, height) = (Int(vips.image_get_width(image)), Int(vips.image_get_page_height(image)))
        if let last, last.width == width, last.height == height { return nil }
        return Rendition(width: width, height: height, bytes: try encoded(image, format))
    }

    private func encoded(_ image: OpaquePointer, _ format: ImageFormat) throws(ImageFault) -> [UInt8] {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let isWritten = withUnsafePointer(to: vips) { parley_vips_write($0, image, format.saveOptions, &bytes, &count) }
        guard isWritten == 0, let bytes else { throw fault() }
        defer { vips.free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

extension ImageFormat {
    /// Damage is an error; all pictures of an animation.
    fileprivate var loadOptions: String {
        switch self {
        case .jpeg, .png: "[fail_on=error]"
        case .gif, .webp: "[n=-1,fail_on=error]"
        }
    }

    /// The effort is what a server can spend: more of it saves little and takes several times as long.
    fileprivate var saveOptions: String {
        switch self {
        case .jpeg: ".jpg[Q=85,optimize_coding,strip]"
        case .png: ".png[compression=6,bitdepth=8,strip]"
        case .gif: ".gif[effort=1,reuse,dither=0,strip]"
        case .webp: ".webp[Q=82,effort=2,strip]"
        }
    }
}

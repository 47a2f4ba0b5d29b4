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
    /// Fits an image into boxes and encodes it anew in its own format: upright, in sRGB, animated if it was, and without
    /// anything beside the pixels. Boxes that give the same size give one rendition.
    ///
    /// A picture that does not move is decoded once, into the largest box, and the smaller ones are made of that. An
    /// animation is decoded for each size, frame after frame, because all its frames would not fit into memory.
    ///
    /// Takes as long as the image is large, a second or more.
    ///
    /// - Parameters:
    ///   - probe: of the same bytes.
    ///   - boxes: smallest first.
    /// - Returns: smallest first.
    /// - Throws: `broken`; `tooBig` when the library finds more than the probe saw; `tooSlow` or `unwanted` when the
    ///   patience ends.
    package func renditions(
        of bytes: ArraySlice<UInt8>, probe: ImageProbe, boxes: [ImageBox], limits: ImageLimits = ImageLimits(),
        patience: ImagePatience = ImagePatience()
    ) throws(ImageFault) -> [Rendition] {
        let work = ImageWork(patience, vips)
        defer {
            withExtendedLifetime(work) {}
            parley_return_free_memory()
        }
        // SAFETY: no image outlives the closure, and none is written to.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(ImageFault) -> [Rendition] in
                try check(buffer, probe.format, limits)
                do throws(ImageFault) {
                    return probe.frames > 1
                        ? try moving(buffer, probe, boxes, work) : try still(buffer, probe.format, boxes, work)
                } catch {
                    throw work.fault ?? error
                }
            }
        }
        return try result.get()
    }

    /// The library may read a header differently: what it would decode counts.
    private func check(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ limits: ImageLimits
    ) throws(ImageFault) {
        let image = withUnsafePointer(to: vips) {
            parley_vips_open($0, bytes.baseAddress, bytes.count, format.loadOptions)
        }
        guard let image else { throw fault() }
        defer { release(image) }
        let frames = Int(vips.image_get_n_pages(image))
        let pixels = Int(vips.image_get_width(image)) * Int(vips.image_get_page_height(image))
        guard frames <= limits.frames, pixels * frames <= limits.pixels else { throw .tooBig }
    }

    private func moving(
        _ bytes: UnsafeRawBufferPointer, _ probe: ImageProbe, _ boxes: [ImageBox], _ work: ImageWork
    ) throws(ImageFault) -> [Rendition] {
        var renditions: [Rendition] = []
        // What is not made smaller for a box is not for larger ones.
        for box in boxes where renditions.last?.width != probe.width {
            let image = try fitted(bytes, probe.format, box)
            defer { release(image) }
            try add(image, probe.format, to: &renditions, work)
        }
        return renditions
    }

    private func still(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ boxes: [ImageBox], _ work: ImageWork
    ) throws(ImageFault) -> [Rendition] {
        var renditions: [Rendition] = []
        guard let largest = boxes.last else { return renditions }
        let source = boxes.count == 1 ? try fitted(bytes, format, largest) : try decoded(bytes, format, largest, work)
        defer { release(source) }
        for box in boxes.dropLast() {
            var image: OpaquePointer?
            let isFitted = withUnsafePointer(to: vips) {
                parley_vips_shrink($0, source, Int32(box.width), Int32(box.height), &image)
            }
            guard isFitted == 0, let image else { throw fault() }
            defer { release(image) }
            try add(image, format, to: &renditions, work)
        }
        try add(source, format, to: &renditions, work)
        return renditions
    }

    /// All pixels at once; what the decoder held is free again.
    private func decoded(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ box: ImageBox, _ work: ImageWork
    ) throws(ImageFault) -> OpaquePointer {
        let image = try fitted(bytes, format, box)
        defer { release(image) }
        work.watch(image)
        guard let pixels = vips.image_copy_memory(image) else { throw fault() }
        return pixels
    }

    private func fitted(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ box: ImageBox
    ) throws(ImageFault) -> OpaquePointer {
        var image: OpaquePointer?
        let isFitted = withUnsafePointer(to: vips) {
            parley_vips_fit(
                $0, bytes.baseAddress, bytes.count, format.loadOptions, Int32(box.width), Int32(box.height), &image)
        }
        guard isFitted == 0, let image else { throw fault() }
        return image
    }

    private func add(
        _ image: OpaquePointer, _ format: ImageFormat, to renditions: inout [Rendition], _ work: ImageWork
    ) throws(ImageFault) {
        let (width, height) = (Int(vips.image_get_width(image)), Int(vips.image_get_page_height(image)))
        if let last = renditions.last, last.width == width, last.height == height { return }
        try work.check()
        work.watch(image)
        renditions.append(Rendition(width: width, height: height, bytes: try encoded(image, format)))
    }

    private func release(_ image: OpaquePointer) { vips.object_unref(UnsafeMutableRawPointer(image)) }

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

import Domain
import HTTP1
import Images
import Multipart
import Server
import Storage

/// An upload whose sender may do it.
struct ImageUpload: Sendable {
    let visit: Visit
    let preset: SizePreset
    let ownerKey: String?
    let urlID: String?
    /// Takes pixels from what the sender may upload in a minute.
    let admitPixels: @Sendable (Int) throws(APIError) -> Void

    /// Reads the form, decodes the image, and puts its sizes into the folder. On the decoder's thread.
    func stage(_ library: ImageLibrary, _ patience: ImagePatience) throws(APIError) -> StagedUpload {
        let (part, bytes) = try file()
        guard bytes.count <= UploadRoutes.fileBytes else {
            throw APIError(413, "file-too-big", "The file has more than \(UploadRoutes.fileBytes >> 20) MB.")
        }
        let probe = try probe(bytes, part)
        try admitPixels(probe.pixels)
        let renditions = try renditions(of: bytes, probe, library, patience)
        var files: [StoredImage] = []
        for rendition in renditions { files.append(StoredImage(rendition, probe.format)) }
        let folder = visit.call.services.uploads.folder
        try folder.write(zip(files, renditions).map { (name: $0.name, bytes: $1.bytes) })
        return StagedUpload(
            commit: { [self, files] (session) throws(APIError) -> Reply in try commit(files, in: &session) },
            undo: { [files] in folder.remove(files.map(\.name)) })
    }

    private func file() throws(APIError) -> (Multipart.Part, ArraySlice<UInt8>) {
        let request = visit.call.request
        let parts: [Multipart.Part]
        do throws(MultipartFailure) {
            let boundary = try Multipart.boundary(ofContentType: request.head.headers["content-type"])
            parts = try Multipart.parts(of: request.body.span, boundary: boundary).filter { $0.name == "file" }
        } catch {
            throw .invalidInput(error.reason)
        }
        guard parts.count == 1 else { throw .invalidInput("The form must have one part named file.") }
        return (parts[0], request.body[parts[0].content])
    }

    private func probe(_ bytes: ArraySlice<UInt8>, _ part: Multipart.Part) throws(APIError) -> ImageProbe {
        do throws(ImageFault) {
            let probe = try ImageProbe(bytes.span)
            guard Self.isTrue(part.mediaType, of: probe.format) else { throw .unknownFormat }
            return probe
        } catch {
            throw APIError(error)
        }
    }

    private func renditions(
        of bytes: ArraySlice<UInt8>, _ probe: ImageProbe, _ library: ImageLibrary, _ patience: ImagePatience
    ) throws(APIError) -> [Rendition] {
        do throws(ImageFault) {
            return try library.renditions(of: bytes, probe: probe, boxes: preset.boxes(for: probe), patience: patience)
        } catch {
            throw APIError(error)
        }
    }

    /// A label that leaves the format open is no claim, and names of files are none: phones rename what they convert.
    private static func isTrue(_ mediaType: String?, of format: ImageFormat) -> Bool {
        guard let mediaType, !["application/octet-stream", "image/*", "*/*"].contains(mediaType) else { return true }
        return ImageFormat(mediaType: mediaType) == format
    }

    private func commit(_ files: [StoredImage], in session: inout Session) throws(APIError) -> Reply {
        for file in files { try UploadSQL.insert(file, of: self, in: &session) }
        return .json(UploadAnswer(files: files, origin: visit.call.publicOrigin))
    }
}

extension APIError {
    fileprivate init(_ fault: ImageFault) {
        switch fault {
        case .unknownFormat:
            self.init(
                422, "invalid-file-type", "The file must be a JPEG, PNG, GIF or WebP image, and be named as what it is."
            )
        case .tooBig:
            let limits = ImageLimits()
            let most = "\(limits.pixels / 1_000_000) megapixels, or more than \(limits.frames) frames"
            self.init(413, "image-too-big", "The image has more than \(most).")
        case .tooCostly:
            let advice = "Make it smaller, or save it without interlacing."
            self.init(413, "image-too-big", "The image takes too much memory to read. \(advice)")
        case .tooSlow:
            self.init(422, "image-too-complex", "The image takes too long to read.")
        case .unwanted:
            self = .uploadAbandoned
        case .broken(let detail):
            self.init(422, "invalid-image", "The image is damaged or incomplete.", detail: detail)
        case .unavailable(let detail):
            self.init(503, "unavailable", "This server cannot read images.", detail: detail)
        }
    }
}

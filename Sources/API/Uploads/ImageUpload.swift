import Crypto
import Domain
import HTTP1
import Images
import JSON
import Multipart
import Server
import Storage

/// An upload whose sender may do it.
struct ImageUpload: Sendable {
    let visit: Visit
    let preset: SizePreset
    let ownerKey: String?
    let urlID: String?

    /// Reads the form, decodes the image, and puts its sizes into the folder. On the decoder's thread.
    func stage(_ library: ImageLibrary) throws(APIError) -> StagedUpload {
        let (part, bytes) = try file()
        guard bytes.count <= UploadRoutes.fileBytes else {
            throw APIError(413, "file-too-big", "The file has more than \(UploadRoutes.fileBytes >> 20) MB.")
        }
        let (format, renditions) = try renditions(of: bytes, part, library)
        var files: [StoredImage] = []
        for rendition in renditions { files.append(StoredImage(rendition, format)) }
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

    private func renditions(
        of bytes: ArraySlice<UInt8>, _ part: Multipart.Part, _ library: ImageLibrary
    ) throws(APIError) -> (ImageFormat, [Rendition]) {
        do throws(ImageFault) {
            let probe = try ImageProbe(bytes.span)
            guard Claim(part).allows(probe.format) else { throw .unknownFormat }
            return (probe.format, try library.renditions(of: bytes, probe: probe, boxes: preset.boxes))
        } catch {
            throw APIError(error)
        }
    }

    private func commit(_ files: [StoredImage], in session: inout Session) throws(APIError) -> Reply {
        for file in files { try UploadSQL.insert(file, of: self, in: &session) }
        return .json(UploadAnswer(files: files, origin: visit.call.publicOrigin))
    }
}

extension SizePreset {
    /// The longest side of any file.
    private static let longest = 4096

    /// Smallest first.
    fileprivate var boxes: [ImageBox] {
        switch self {
        case .usual: [ImageBox(width: 1000, height: 1000)]
        case .crossPlatform: [480, 1000, Self.longest].map { ImageBox(width: $0, height: Self.longest) }
        }
    }
}

/// What the sender says the file is.
private struct Claim {
    private let mediaType: String?
    private let fileExtension: String?

    init(_ part: Multipart.Part) {
        mediaType = part.mediaType == "application/octet-stream" ? nil : part.mediaType
        let pieces = (part.fileName ?? "").split(separator: ".", omittingEmptySubsequences: false)
        fileExtension = pieces.count > 1 ? pieces.last.map(String.init) : nil
    }

    /// The media type counts; the name only where there is none, because phones rename what they convert.
    func allows(_ format: ImageFormat) -> Bool {
        if let mediaType { return ImageFormat(mediaType: mediaType) == format }
        guard let fileExtension else { return true }
        return ImageFormat(fileExtension: fileExtension) == format
    }
}

/// A file in the folder.
struct StoredImage: Sendable {
    let name: String
    let mediaType: String
    let width: Int
    let height: Int
    let byteCount: Int

    /// Under a fresh name that nobody can guess.
    init(_ rendition: Rendition, _ format: ImageFormat) {
        name = SecureRandom.token(18) + "." + format.fileExtension
        mediaType = format.mediaType
        width = rendition.width
        height = rendition.height
        byteCount = rendition.bytes.count
    }
}

/// The answer to an upload (contract: public 16). Never without media: some clients take that for a failure.
private struct UploadAnswer: JSONWritable, Sendable {
    let files: [StoredImage]
    let origin: String

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            if let usual = files.last(where: { $0.width <= 1000 }) ?? files.first { json.member("url", address(usual)) }
            json.key("media")
            json.beginArray()
            for file in files {
                json.object { json in
                    json.member("w", file.width)
                    json.member("h", file.height)
                    json.member("src", address(file))
                }
            }
            json.endArray()
        }
    }

    private func address(_ file: StoredImage) -> String { "\(origin)/uploads/\(file.name)" }
}

extension APIError {
    fileprivate init(_ fault: ImageFault) {
        switch fault {
        case .unknownFormat:
            self.init(
                422, "invalid-file-type", "The file must be a JPEG, PNG, GIF or WebP image, and be named as what it is."
            )
        case .tooBig:
            self.init(413, "image-too-big", "The image has more than 50 megapixels, or more than 1000 frames.")
        case .broken(let detail):
            self.init(422, "invalid-image", "The image is damaged or incomplete.", detail: detail)
        case .unavailable(let detail):
            self.init(503, "unavailable", "This server cannot read images.", detail: detail)
        }
    }
}

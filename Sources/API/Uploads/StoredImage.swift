import Crypto
import Images

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

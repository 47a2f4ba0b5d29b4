/// The formats that are taken in and given out.
package enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg
    case png
    case gif
    case webp

    /// As in `Content-Type`.
    package var mediaType: String { "image/\(rawValue)" }

    /// Of file names, without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// By a media type in lower case; nil for any other.
    package init?(mediaType: String) {
        switch mediaType {
        case "image/jpeg", "image/jpg", "image/pjpeg": self = .jpeg
        case "image/png", "image/x-png", "image/apng": self = .png
        case "image/gif": self = .gif
        case "image/webp": self = .webp
        default: return nil
        }
    }

    /// By the extension of a file's name in any case; nil for any other.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
        case "png", "apng": self = .png
        case "gif": self = .gif
        case "webp": self = .webp
        default: return nil
        }
    }
}

/// Why an image is refused.
package enum ImageFault: Error, Sendable, Equatable {
    /// None of the formats.
    case unknownFormat
    /// More pixels or frames than the limits allow.
    case tooBig
    /// Damaged or cut off. The detail is for the log.
    case broken(String)
    /// The image library is missing or does not start. The detail is for the log.
    case unavailable(String)
}

/// What an image may measure before anything of it is decoded.
package struct ImageLimits: Sendable {
    /// Width × height × frames.
    package var pixels = 50_000_000
    /// Pictures of an animation.
    package var frames = 1000
    /// Scans of a JPEG: each costs as much as a whole picture, and cameras write a dozen.
    package var scans = 100

    /// The numbers above.
    package init() {}
}

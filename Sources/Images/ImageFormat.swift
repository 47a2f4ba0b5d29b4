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
}

/// Why an image is refused.
package enum ImageFault: Error, Sendable, Equatable {
    /// None of the formats.
    case unknownFormat
    /// More pixels or frames than the limits allow.
    case tooBig
    /// Within them, but it would cost the decoder more memory or more passes than they allow.
    case tooCostly
    /// It took longer than it may.
    case tooSlow
    /// Nobody wants it any more.
    case unwanted
    /// Damaged or cut off. The detail is for the log.
    case broken(String)
    /// The image library is missing or does not start. The detail is for the log.
    case unavailable(String)
}

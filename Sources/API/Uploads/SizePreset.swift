import Domain
import Images

/// What sizes are made (contract: public 16).
enum SizePreset: String {
    case usual = "Default"
    case crossPlatform = "CrossPlatform"

    init(_ call: Call) throws(APIError) {
        guard let word = call.text("sizePreset") else {
            self = .usual
            return
        }
        guard let preset = SizePreset(rawValue: word) else {
            throw .invalidInput("The query parameter sizePreset must be Default or CrossPlatform.")
        }
        self = preset
    }
}

extension SizePreset {
    /// Smallest first. What is costly to encode is not made as large.
    func boxes(for image: ImageProbe) -> [ImageBox] {
        guard self == .crossPlatform else { return [ImageBox(width: 1000, height: 1000)] }
        let longest =
            switch image.format {
            case .jpeg, .png: 4096
            case .gif, .webp: 2560
            }
        let widths = image.frames > 1 ? [480, 1000] : [480, 1000, longest]
        return widths.map { ImageBox(width: $0, height: longest) }
    }
}

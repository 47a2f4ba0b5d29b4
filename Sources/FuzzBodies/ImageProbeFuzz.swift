import Images

/// The look at image headers: never leaves the file, keeps the limits, and minds nothing but the file.
package enum ImageProbeFuzz: FuzzBody {
    package static func run(_ data: [UInt8]) {
        var limits = ImageLimits()
        limits.pixels = 1_000_000
        limits.movingPixels = limits.pixels
        limits.frames = 20
        limits.scans = 10
        do {
            let probe = try ImageProbe(data.span, limits: limits)
            precondition(probe.width > 0 && probe.height > 0 && (1...limits.frames).contains(probe.frames))
            precondition(probe.width * probe.height * probe.frames <= limits.pixels, "more than the limit")
            let wider = try? ImageProbe(data.span)
            precondition(wider == probe, "wider limits see another image")
        } catch {
            let wider = try? ImageProbe(data.span)
            precondition(wider == nil || error == .tooBig || data.starts(with: [0xFF, 0xD8]), "refused for no reason")
        }
    }
}

import CVips
import Glibc
import Synchronization

/// Ends the computing of images when the patience with them does.
final class ImageWork {
    private enum End {
        case tooSlow
        case unwanted
    }

    private let patience: ImagePatience
    private let start = (time: ImageWork.now(CLOCK_MONOTONIC), work: ImageWork.now(CLOCK_PROCESS_CPUTIME_ID))
    private let vips: parley_vips
    // Guards why it ended; the library asks from threads of its own.
    private let end = Mutex<End?>(nil)

    init(_ patience: ImagePatience, _ vips: parley_vips) {
        self.patience = patience
        self.vips = vips
    }

    /// Why computing failed, if not by itself.
    var fault: ImageFault? {
        switch end.withLock({ $0 }) {
        case .tooSlow: .tooSlow
        case .unwanted: .unwanted
        case nil: nil
        }
    }

    /// Watches an image, which must not outlive this.
    func watch(_ image: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        withUnsafePointer(to: vips) { vips in
            parley_vips_watch(
                vips, image,
                { image, _, context in
                    guard let context else { return }
                    // SAFETY: the context is the work that watches this image, and lives longer.
                    Unmanaged<ImageWork>.fromOpaque(context).takeUnretainedValue().check(image)
                }, context)
        }
    }

    /// - Throws: `tooSlow` or `unwanted`, when it is time to end.
    func check() throws(ImageFault) {
        note()
        if let fault { throw fault }
    }

    private func check(_ image: OpaquePointer?) {
        note()
        if fault != nil { vips.image_set_kill(image, 1) }
    }

    private func note() {
        let reason: End? = patience.isUnwanted() ? .unwanted : isTooSlow ? .tooSlow : nil
        guard let reason else { return }
        end.withLock { $0 = $0 ?? reason }
    }

    /// While others keep the processors from this program, an image is not to blame for the time; for a while.
    private var isTooSlow: Bool {
        let time = Self.now(CLOCK_MONOTONIC) - start.time
        let work = Self.now(CLOCK_PROCESS_CPUTIME_ID) - start.work
        let limit = Int64(patience.milliseconds)
        return min(time, work) > limit || time > 4 * limit
    }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

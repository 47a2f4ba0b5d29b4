import CVips

/// libvips, found and started at the first use.
///
/// Owned by the thread that decodes; each such thread may have its own, since the library behind them is one.
package final class ImageLibrary {
    let vips: parley_vips

    /// What the library reads from the environment when it starts, and how memory is kept for it. Before the process has
    /// other threads.
    package static func prepareProcess() {
        parley_vips_set_environment()
        parley_return_large_pieces()
    }

    /// The calling thread, and those that the library makes for it, yield to all others from here on.
    package static func yieldToOthers() {
        parley_lower_priority()
    }

    /// - Throws: `unavailable` when the library is not installed or does not start.
    package init() throws(ImageFault) {
        vips = try Self.started.get().vips
    }

    // `@unchecked` because it holds addresses of functions, which never change once they were found.
    private struct Started: @unchecked Sendable {
        let vips: parley_vips
    }

    /// Starting it is for one thread; Swift sees to that.
    private static let started = start()

    private static func start() -> Result<Started, ImageFault> {
        var vips = parley_vips()
        guard parley_vips_find(&vips) == 0 else {
            return .failure(.unavailable("libvips.so.42 is not installed, or too old: apt-get install libvips42"))
        }
        guard parley_vips_start(&vips) == 0 else { return .failure(.unavailable(message(of: vips))) }
        return .success(Started(vips: vips))
    }

    /// What the library has to say of its last failure, which it then forgets.
    private static func message(of vips: parley_vips) -> String {
        defer { vips.error_clear() }
        return vips.error_buffer().map { String(cString: $0).split(separator: "\n").joined(separator: "; ") } ?? ""
    }

    func fault() -> ImageFault { .broken(Self.message(of: vips)) }
}

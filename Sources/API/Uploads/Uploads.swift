import Domain
import Images
import Reactor
import Server
import Storage

/// What all uploads share: the folder, the bounds, and the thread that decodes. Any thread.
package final class Uploads: Sendable {
    let folder: UploadFolder
    let gate = UploadGate()
    private let queue: WorkQueue<@Sendable (ImageLibrary?) -> Void>
    private let thread: Thread

    /// Uploads that may wait for the decoder.
    private static let waiting = 32

    /// Starts the thread that decodes. One is enough: it leaves the other cores, and most of its own, to the loops.
    /// - Throws: `unavailable` when the system has no room for it.
    package init(folder: UploadFolder) throws(APIError) {
        let queue = WorkQueue<@Sendable (ImageLibrary?) -> Void>(capacity: Self.waiting)
        self.folder = folder
        self.queue = queue
        do {
            thread = try Thread(name: "images") { Self.work(queue) }
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Runs a unit on the decoder's thread and what it returns on the writer; files whose rows do not come are removed.
    ///
    /// `completion` is called once, on one of these threads; when too many wait, at once, here, with `unavailable`.
    func run(
        _ unit: @escaping UploadUnit, _ writer: Writer,
        completion: @escaping @Sendable (Result<Reply, APIError>) -> Void
    ) {
        let isQueued = queue.push { library in
            do throws(APIError) {
                guard let library else { throw .noImageLibrary }
                Self.commit(try unit(library), writer, completion)
            } catch {
                completion(.failure(error))
            }
        }
        if !isQueued { completion(.failure(.tooManyUploads)) }
    }

    private static func commit(
        _ staged: StagedUpload, _ writer: Writer, _ completion: @escaping @Sendable (Result<Reply, APIError>) -> Void
    ) {
        writer.submit(staged.commit) { result in
            if case .failure = result { staged.undo() }
            completion(result)
        }
    }

    /// Finishes what waits and ends the thread. A second call does nothing.
    package func close() {
        queue.close()
        thread.join()
    }

    private static func work(_ queue: WorkQueue<@Sendable (ImageLibrary?) -> Void>) {
        ImageLibrary.yieldToOthers()
        while let unit = queue.pop() { unit(try? ImageLibrary()) }
    }
}

extension APIError {
    static let tooManyUploads: APIError = {
        var error = APIError(503, "unavailable", "Too many images are being uploaded. Please try again shortly.")
        error.retryAfter = 5
        return error
    }()

    fileprivate static let noImageLibrary = APIError(
        503, "unavailable", "This server cannot read images.",
        detail: "libvips.so.42 is not installed or does not start: apt-get install libvips42")
}

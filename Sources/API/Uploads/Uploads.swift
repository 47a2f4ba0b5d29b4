import Domain
import Images
import Reactor
import Server
import Storage
import Synchronization

/// What all uploads share: the folder, the bounds, and the thread that decodes. Any thread.
package final class Uploads: Sendable {
    let folder: UploadFolder
    let gate = UploadGate()
    private let queue: UploadQueue
    private let thread: Thread
    private let stopping = Atomic(false)

    /// Starts the thread that decodes. One is enough: it leaves the other cores, and most of its own, to the loops.
    /// - Throws: `unavailable` when the system has no room for it.
    package init(folder: UploadFolder) throws(APIError) {
        let queue = UploadQueue()
        self.folder = folder
        self.queue = queue
        do {
            thread = try Thread(name: "images") { Self.work(queue) }
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Runs a unit on the decoder's thread and what it returns on the writer; files whose rows do not come are removed.
    /// Neither is done for a client that has gone.
    ///
    /// `completion` is called once, on one of these threads; when the server stops, at once, here.
    func run(
        _ unit: @escaping UploadUnit, of call: Call, _ writer: Writer,
        completion: @escaping @Sendable (Result<Reply, APIError>) -> Void
    ) {
        let lease = call.request.lease as? UploadGate.Lease
        let isUnwanted = { @Sendable [self] in
            lease?.isAbandoned == true || stopping.load(ordering: .relaxed)
        }
        let run = { @Sendable (library: ImageLibrary?) in
            do throws(APIError) {
                guard let library else { throw .noImageLibrary }
                let staged = try unit(library, ImagePatience(isUnwanted: isUnwanted))
                guard !isUnwanted() else {
                    staged.undo()
                    throw .uploadAbandoned
                }
                Self.commit(staged, writer, completion)
            } catch {
                completion(.failure(error))
            }
        }
        let job = UploadJob(
            client: call.clientAddress, isUnwanted: isUnwanted, run: run, refuse: { completion(.failure($0)) })
        if !queue.push(job) { completion(.failure(.restarting)) }
    }

    private static func commit(
        _ staged: StagedUpload, _ writer: Writer, _ completion: @escaping @Sendable (Result<Reply, APIError>) -> Void
    ) {
        writer.submit(staged.commit) { result in
            if case .failure = result { staged.undo() }
            completion(result)
        }
    }

    /// Removes files that no row names.
    func remove(_ names: [String]) {
        if !names.isEmpty { folder.remove(names) }
    }

    /// Refuses what waits and what comes; the image that is being decoded may be finished.
    package func refuseWaiting() { queue.close() }

    /// Gives up the image that is being decoded, if any, and ends the thread. A second call does nothing.
    package func close() {
        queue.close()
        stopping.store(true, ordering: .relaxed)
        thread.join()
    }

    private static func work(_ queue: UploadQueue) {
        ImageLibrary.yieldToOthers()
        while let job = queue.pop() { job.run(try? ImageLibrary()) }
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

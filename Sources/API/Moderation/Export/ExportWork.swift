import Domain
import Storage

/// Makes files of comments after the answer, a part at a time: however many comments there are, and whenever the server
/// stops, the next one goes on where the row says.
package struct ExportWork: Sendable {
    /// Comments of one part.
    private static let partSize = 500

    private let folder: ExportFolder

    /// - Parameter folder: for the files.
    package init(folder: ExportFolder) { self.folder = folder }

    /// What is in the file after a part.
    private struct Part: Sendable {
        let bytes: [UInt8]
        let records: Int
        let place: ModerationQueue.Place?
        let isLast: Bool
    }

    /// Does the next part of what is to be done. Runs on the thread of this work.
    /// - Returns: whether there was anything.
    package func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        if try lane.read(budgetMilliseconds: nil, ExportSQL.hasExpired) {
            for file in try writer.perform(ExportSQL.expire) { folder.remove(file) }
        }
        guard let job = try lane.read(budgetMilliseconds: nil, ExportSQL.next) else { return false }
        guard let filter = job.request.filter, (folder.size(of: job.file) ?? 0) >= job.byteCount else {
            try giveUp(job, writer)
            return true
        }
        let part = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> Part in
            try Self.part(of: job, filter, in: &session)
        }
        do {
            try folder.append(part.bytes, to: job.file, at: job.byteCount)
        } catch {
            try giveUp(job, writer)
            throw error
        }
        try writer.perform { (session) throws(APIError) in
            try ExportSQL.advance(
                job, by: part.records, bytes: part.bytes.count, to: part.place, isLast: part.isLast, in: &session)
        }
        return true
    }

    /// What is wrong with the file is wrong the next time too.
    private func giveUp(_ job: ExportJob, _ writer: Writer) throws(APIError) {
        folder.remove(job.file)
        try writer.perform { (session) throws(APIError) in try ExportSQL.fail(job, in: &session) }
    }

    private static func part(
        of job: ExportJob, _ filter: ModerationFilter, in session: inout Session
    ) throws(APIError) -> Part {
        let queue = try ModerationQueue(filter, tenant: job.tenant, in: &session)
        let seqs = try queue.seqs(
            after: job.place, limit: partSize, oldestFirst: job.request.oldestFirst, in: &session)
        var file = ExportFile()
        if job.byteCount == 0 { file.appendHead() }
        try file.append(seqs, in: &session)
        return Part(
            bytes: file.bytes, records: seqs.count, place: file.lastPlace ?? job.place,
            isLast: seqs.count < partSize)
    }
}

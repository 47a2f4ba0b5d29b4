import Domain
import Glibc
import Storage

/// The folder that holds files of comments for administrators, and nothing else. Any thread.
package struct ExportFolder: Sendable {
    private let path: String

    /// Makes the folder when it is missing.
    /// - Throws: a sentence for the operator, as `unavailable`.
    package init(data: String) throws(APIError) {
        path = data + "/exports"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("make the folder \(path)") }
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Size of a file in bytes; nil when there is none.
    func size(of name: String) -> Int? {
        var status = stat()
        return stat(file(name), &status) == 0 ? Int(status.st_size) : nil
    }

    /// Writes a part behind the first `offset` bytes; what stood there, from a part that was not noted, goes. When this
    /// returns, the part survives a loss of power.
    /// - Throws: `unavailable` (503).
    func append(_ bytes: [UInt8], to name: String, at offset: Int) throws(APIError) {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("write \(file(name))") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(offset)) == 0, Self.write(bytes, to: descriptor, at: offset),
            fsync(descriptor) == 0
        else { throw Self.failure("write \(file(name))") }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written,
                    off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Removes a file; one that is not there is fine.
    func remove(_ name: String) { unlink(file(name)) }

    /// Removes what no row knows, such as files of tenants that are gone.
    /// - Parameter known: asked after the files were listed, each of which has its row before it is made.
    package func removeAll(except known: () throws(APIError) -> Set<String>) throws(APIError) {
        let names = names
        let known = try known()
        for name in names where !known.contains(name) { remove(name) }
    }

    private var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func failure(_ what: String, _ number: Int32 = errno) -> APIError {
        .unavailable("Cannot \(what): \(String(cString: strerror(number))).")
    }
}

/// Files of comments, and what makes them.
package struct Exports: Sendable {
    let folder: ExportFolder
    /// Told when there is a file to make, or one may be too old.
    let work: Background

    /// - Parameter work: runs the steps of `ExportWork`.
    package init(folder: ExportFolder, work: Background) {
        self.folder = folder
        self.work = work
    }
}

import Domain
import Glibc

/// The folder that holds the files of uploads, and nothing else. Any thread.
package struct UploadFolder: Sendable {
    private let path: String

    /// Ends the name of a file that is not whole yet.
    private static let draftSuffix = ".draft"

    /// Makes the folder when it is missing.
    /// - Throws: a sentence for the operator, as `internal`.
    package init(data: String) throws(APIError) {
        path = data + "/uploads"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("make the folder \(path)") }
    }

    /// Puts files into the folder, all or none. When this returns, they survive a loss of power.
    /// - Throws: `unavailable` (503).
    func write(_ files: [(name: String, bytes: [UInt8])]) throws(APIError) {
        do throws(APIError) {
            for file in files { try write(file.bytes, as: file.name) }
            try sync(path, O_RDONLY | O_DIRECTORY)
        } catch {
            remove(files.map(\.name))
            throw error
        }
    }

    private func write(_ bytes: [UInt8], as name: String) throws(APIError) {
        let draft = file(name) + Self.draftSuffix
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("write \(draft)") }
        let isWhole = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        let number = errno
        close(descriptor)
        guard isWhole, rename(draft, file(name)) == 0 else {
            let failure = Self.failure("write \(draft)", isWhole ? errno : number)
            unlink(draft)
            throw failure
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    private func sync(_ path: String, _ flags: Int32) throws(APIError) {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("write \(path)") }
    }

    /// Removes files; those that are not there are fine.
    func remove(_ names: [String]) {
        for name in names { unlink(file(name)) }
    }

    /// Removes what no row knows: leftovers of a crash, and of tenants that are gone.
    /// - Returns: how many files.
    package func removeAll(except known: Set<String>) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." || known.contains(name) { continue }
            if unlink(file(name)) == 0 { count += 1 }
        }
        return count
    }

    /// Size of a file in bytes; nil when there is none.
    func size(of name: String) -> Int? {
        var status = stat()
        return stat(file(name), &status) == 0 ? Int(status.st_size) : nil
    }

    func file(_ name: String) -> String { path + "/" + name }

    private static func failure(_ what: String, _ number: Int32 = errno) -> APIError {
        .unavailable("Cannot \(what): \(String(cString: strerror(number))).")
    }
}

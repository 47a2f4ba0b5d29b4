import Glibc

/// The few things the commands do with files.
enum Files {
    /// Largest file that is read, bytes.
    private static let limit = 64 << 20

    /// The content; nil when there is no such file.
    static func read(_ path: String) throws(ToolError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ToolError("Cannot read \(path): \(reason()).")
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ToolError("Cannot read \(path): \(reason()).") }
            if count == 0 { return content }
            content.append(contentsOf: buffer[..<count])
            guard content.count <= limit else { throw ToolError("\(path) has more than \(limit) bytes.") }
        }
    }

    /// Writes the whole file or nothing: readers see the old content or the new one.
    /// - Parameter mode: permissions of the file.
    static func writeAtomically(_ path: String, _ content: [UInt8], mode: mode_t = 0o644) throws(ToolError) {
        let draft = "\(path).\(getpid()).tmp"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw ToolError("Cannot write \(path): \(reason()).") }
        let isWhole = write(content[...], to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWhole, Glibc.rename(draft, path) == 0 else {
            let why = reason()
            unlink(draft)
            throw ToolError("Cannot write \(path): \(why).")
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// A fresh folder under the system's folder for temporary files.
    static func makeTemporaryFolder() throws(ToolError) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((base + "/parley-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw ToolError("Cannot make a folder in \(base): \(reason()).") }
        return String(cString: made)
    }

    /// Makes a folder; one that exists is fine.
    /// - Parameter mode: permissions of a new folder.
    static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(ToolError) {
        guard mkdir(path, mode) != 0, errno != EEXIST else { return }
        let advice = errno == ENOENT ? " Make the folder that it is to be in first." : ""
        throw ToolError("Cannot make the folder \(path): \(reason()).\(advice)")
    }

    /// Copies a file that is not there yet. It is on the disk when this returns.
    /// - Returns: false, and nothing copied, when there is no such file.
    static func copy(_ path: String, to copy: String) throws(ToolError) -> Bool {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            if errno == ENOENT { return false }
            throw ToolError("Cannot read \(path): \(reason()).")
        }
        defer { close(source) }
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw ToolError("Cannot write \(copy): \(reason()).") }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        repeat {
            repeat { count = Glibc.read(source, &buffer, buffer.count) } while count < 0 && errno == EINTR
        } while count > 0 && write(buffer[..<count], to: target)
        guard count == 0, fsync(target) == 0 else { throw ToolError("Cannot write \(copy): \(reason()).") }
        return true
    }

    /// Gives a file or folder another name; what had it is replaced.
    static func rename(_ path: String, to name: String) throws(ToolError) {
        guard Glibc.rename(path, name) == 0 else {
            throw ToolError("Cannot rename \(path) to \(name): \(reason()).")
        }
    }

    /// Puts the names in a folder on the disk.
    static func sync(_ folder: String) throws(ToolError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ToolError("Cannot open \(folder): \(reason()).") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ToolError("Cannot write \(folder): \(reason()).") }
    }

    /// Removes a file; one that is not there is fine.
    static func remove(_ path: String) { unlink(path) }

    /// Whether there is something at the path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether a path, of which nothing need be there yet, leads to a folder or into it.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        guard let folder = resolved(folder) else { return false }
        var rest = Substring(path)
        while true {
            if let place = resolved(rest.isEmpty ? "." : String(rest)) {
                return place == folder || place.hasPrefix(folder == "/" ? folder : folder + "/")
            }
            while rest.last == "/" { rest = rest.dropLast() }
            guard !rest.isEmpty else { return false }
            rest = rest[...(rest.lastIndex(of: "/") ?? rest.startIndex)]
            if rest.last != "/" { rest = "" }
        }
    }

    /// Without links and dots; nil when nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Removes a folder of plain files and such folders.
    static func removeFolder(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name != ".", name != ".." else { continue }
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    removeFolder("\(path)/\(name)")
                } else {
                    unlink("\(path)/\(name)")
                }
            }
            closedir(folder)
        }
        rmdir(path)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// What a command says. Results go to standard output, faults to standard error.
enum Console {
    static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    static func printError(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count <= 0, errno != EINTR { return }
            written += max(0, count)
        }
    }
}

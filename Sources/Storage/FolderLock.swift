import Glibc

/// Keeps a second server out of a data folder. The kernel lets go of it when the process ends, however it ends.
final class FolderLock: Sendable {
    private let fileDescriptor: Int32

    private init(fileDescriptor: Int32) {
        self.fileDescriptor = fileDescriptor
    }

    deinit {
        // A program that is being started this moment holds a copy of the descriptor until it is loaded, which closing
        // alone would leave locked.
        flock(fileDescriptor, LOCK_UN)
        close(fileDescriptor)
    }

    /// Takes the lock; nil if another process, or another store of this one, has it.
    static func acquire(folder: String) throws(StoreError) -> FolderLock? {
        let path = folder + "/parley.lock"
        let fileDescriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard fileDescriptor >= 0 else {
            throw StoreError(
                "Cannot open \(path): \(reason(errno)). Check that this user may write to the data folder.")
        }
        let lock = FolderLock(fileDescriptor: fileDescriptor)
        while flock(fileDescriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            case let number:
                throw StoreError(
                    "Cannot lock \(path): \(reason(number)). Put the data folder on a local disk, "
                        + "where files can be locked.")
            }
        }
        return lock
    }

    /// Makes the folder if only its last part is missing.
    static func makeFolder(_ folder: String) throws(StoreError) {
        guard mkdir(folder, 0o700) != 0 else { return }
        let number = errno
        var status = stat()
        guard number == EEXIST, stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(
                "Cannot make the data folder \(folder): \(reason(number)). Make it, or name another one.")
        }
    }

    private static func reason(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}

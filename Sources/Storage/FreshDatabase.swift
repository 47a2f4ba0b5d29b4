import CLinux
import Compression
import Glibc

/// The file that a first start begins with: running all migrations one by one takes a hundred times as long.
enum FreshDatabase {
    /// Of the plain file, bytes.
    private static let limit = 16 << 20
    /// RENAME_NOREPLACE of linux/fs.h: a command may be making the file meanwhile.
    private static let noReplace: UInt32 = 1

    /// Puts the file at `path`, where there is nothing yet. It gets its name once it is whole and on the disk, so that a
    /// crash leaves either nothing or a database; the name itself is on the disk with the first commit, before which
    /// SQLite syncs the folder. When it cannot be put there, nothing is, and SQLite will say why.
    ///
    /// Only for who holds the lock of the folder.
    /// - Returns: whether it is there.
    static func put(_ file: [UInt8], at path: String) -> Bool {
        // What lies beside a database that is gone would be taken for a part of this one.
        guard !["", "-wal", "-journal"].contains(where: { access(path + $0, F_OK) == 0 }) else { return false }
        guard let plain = Gzip.plain(file, limit: limit) else { return false }
        let unfinished = path + ".new"
        unlink(unfinished)
        guard write(plain, to: unfinished),
            renameat2(AT_FDCWD, unfinished, AT_FDCWD, path, noReplace) == 0
        else {
            unlink(unfinished)
            return false
        }
        return true
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        // As SQLite makes its files: who may read them is up to the umask.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return fdatasync(descriptor) == 0
    }
}

import Glibc

/// What a write-ahead log holds behind the place where it can be read no further.
///
/// SQLite takes a log up to its first broken page and throws the rest away without a word. That is right after a loss of
/// power, which breaks at most the one commit that nobody was told of; what else breaks a log costs answers that were given.
struct LogDamage: Equatable {
    /// Commits that SQLite will not see.
    let lostCommits: Int
    /// Where the log was copied to, as evidence; nil when that failed.
    var copy: String?

    /// Looks through the log of the database at `path`, and copies it when it is damaged. Only for who holds the lock of
    /// the folder, before anybody opens the database. Reads the whole log.
    /// - Returns: nil when there is none, or nothing is wrong with it.
    static func find(at path: String, now: Int64) -> LogDamage? {
        let log = path + "-wal"
        guard var scan = LogScan(log) else { return nil }
        let lost = scan.lostCommits()
        guard lost > 0 else { return nil }
        let copy = "\(path)-damaged-\(now)"
        return LogDamage(lostCommits: lost, copy: scan.copy(to: copy) ? copy : nil)
    }

    /// For the operator: what happened, and what to do.
    var sentence: String {
        let commits = lostCommits == 1 ? "The last commit in it is" : "The last \(lostCommits) commits in it are"
        let evidence = copy.map { " A copy is kept: \($0)." } ?? ""
        return "The end of the database's log was damaged while the server did not run. \(commits) lost, and with that "
            + "perhaps changes that were acknowledged.\(evidence) Check the disk, and restore a backup if they matter."
    }
}

/// Reads a log page by page (format: sqlite.org/fileformat2.html, section 4).
private struct LogScan: ~Copyable {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let descriptor: Int32
    private let header: [UInt8]
    private let frameSize: Int
    private let isBigEndian: Bool

    /// Nil when there is no log, or none with a header that makes sense.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let header = Self.read(Self.headerSize, at: 0, from: descriptor)
        let magic = header.map { Self.number(0, in: $0) } ?? 0
        let pageSize = header.map { Int(Self.number(8, in: $0)) } ?? 0
        guard let header, magic | 1 == 0x377f_0683, pageSize >= 512, pageSize <= 65536 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.header = header
        frameSize = Self.frameHeaderSize + pageSize
        isBigEndian = magic & 1 == 1
    }

    deinit { close(descriptor) }

    /// Commits of this log's own generation behind the first page that is broken. Pages of an earlier generation, which
    /// lie behind the end of most logs, do not count.
    mutating func lostCommits() -> Int {
        var sum = Checksum(isBigEndian: isBigEndian)
        sum.add(header[..<24])
        var isSound = sum.equals(header[24..<32])
        var (lost, place) = (0, Self.headerSize)
        while let frame = Self.read(frameSize, at: place, from: descriptor) {
            place += frameSize
            if isSound {
                sum.add(frame[..<8])
                sum.add(frame[Self.frameHeaderSize...])
                isSound = isOwn(frame) && sum.equals(frame[16..<24])
            }
            if !isSound, isOwn(frame), Self.number(4, in: frame) != 0 { lost += 1 }
        }
        return lost
    }

    private func isOwn(_ frame: [UInt8]) -> Bool { frame[8..<16] == header[16..<24] }

    borrowing func copy(to path: String) -> Bool {
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { return false }
        defer { close(target) }
        var place = 0
        while true {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = pread(descriptor, &bytes, bytes.count, off_t(place))
            guard count > 0 else {
                if count == 0 { return true }
                unlink(path)
                return false
            }
            guard write(target, bytes, count) == count else {
                unlink(path)
                return false
            }
            place += count
        }
    }

    private static func read(_ count: Int, at place: Int, from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(place)) == count ? bytes : nil
    }

    private static func number(_ place: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The sum that goes through a log from its beginning.
private struct Checksum {
    private var first: UInt32 = 0
    private var second: UInt32 = 0
    private let isBigEndian: Bool

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// - Parameter bytes: a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var (first, second) = (first, second)
        bytes.withUnsafeBytes { buffer in
            for place in stride(from: 0, to: buffer.count, by: 8) {
                first &+= word(place, in: buffer) &+ second
                second &+= word(place + 4, in: buffer) &+ first
            }
        }
        (self.first, self.second) = (first, second)
    }

    private func word(_ place: Int, in buffer: UnsafeRawBufferPointer) -> UInt32 {
        let word = buffer.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    func equals(_ bytes: ArraySlice<UInt8>) -> Bool {
        var wide = UInt64(first) << 32 | UInt64(second)
        for byte in bytes {
            wide = wide << 8 | wide >> 56
            guard UInt8(truncatingIfNeeded: wide) == byte else { return false }
        }
        return true
    }
}

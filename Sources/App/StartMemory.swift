import CLinux
import Glibc

/// The memory of the process as a whole.
enum StartMemory {
    /// Before the process has other threads. Most threads work now and then; only loops and the writer need a heap that no
    /// other thread keeps them from.
    static func prepare(loops: Int) { parley_limit_heaps(Int32(clamping: loops + 1)) }

    /// Gives back what only the start needed: free memory, and the pages of code that were mapped so far. Of those nothing
    /// is lost: what runs again is mapped again, a few pages at a time. The start runs code from everywhere once.
    static func release() {
        parley_trim_heaps()
        guard let maps = try? Files.read("/proc/self/maps") else { return }
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            // ADDRESS-ADDRESS r-xp … /path: never written, so the file has all of it (man 5 proc_pid_maps).
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count >= 6, words[1] == "r-xp", words[5].hasPrefix("/") else { continue }
            let range = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard range.count == 2 else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: range[0]), Int(range[1] - range[0]), MADV_DONTNEED)
        }
    }
}

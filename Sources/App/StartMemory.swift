import CLinux

/// The memory of the process as a whole.
enum StartMemory {
    /// Before the process has other threads. Most threads work now and then; only loops and the writer need a heap that no
    /// other thread keeps them from.
    static func prepare(loops: Int) { parley_limit_heaps(Int32(clamping: loops + 3)) }

    /// Gives back the free memory that only the start needed.
    static func release() { parley_trim_heaps() }
}

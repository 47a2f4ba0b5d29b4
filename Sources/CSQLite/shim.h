#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before the call returns. */
static inline int parley_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Variadic in C. Before the first connection only. Counting the bytes in use takes one lock for every allocation. */
static inline int parley_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* What every commit changes, by whatever process: the header of the index of the write-ahead log
   (https://sqlite.org/walformat.html, section 2.1). */
struct parley_wal_mark {
    unsigned long long words[6];
};

/* Where that is in memory, for as long as the connection is open; null before its first read. No lock is taken. */
static inline const void *parley_wal_index(sqlite3 *database) {
    sqlite3_file *file = 0;
    volatile void *region = 0;
    int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK || !file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
    if (file->pMethods->xShmMap(file, 0, 32 * 1024, 0, &region) != SQLITE_OK) return 0;
    return (const void *)region;
}

/* 0 while it is being written: the two copies of the header differ then, which are written in the other order. */
static inline int parley_read_wal_mark(const void *index, struct parley_wal_mark *mark) {
    const volatile unsigned long long *header = (const volatile unsigned long long *)index;
    int word, same = 1;
    for (word = 0; word < 6; word++) mark->words[word] = header[word];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    for (word = 0; word < 6; word++) same &= mark->words[word] == header[6 + word];
    return same;
}

static inline int parley_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

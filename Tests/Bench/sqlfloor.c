// Rows a second that SQLite alone takes when each commit waits for the disk.
//
//   sqlfloor FILE ROWS_OF_A_TRANSACTION SECONDS
//
// A row is like a comment: an identifier, tenant, page, author, text, HTML and date, with one index by page. FILE is made
// and removed again. Prints one line of JSON.
#include "common.h"
#include <sqlite3.h>

static sqlite3 *base;

static void must(int result) {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    fprintf(stderr, "sqlfloor: %s\n", sqlite3_errmsg(base));
    exit(3);
}

static void run(const char *words) { must(sqlite3_exec(base, words, NULL, NULL, NULL)); }

static void insert(sqlite3_stmt *statement, long number) {
    static const char text[] =
        "The quick brown fox jumps over the lazy dog, and says at some length what it thinks of that: it is a habit "
        "which neither of the two could give up if they tried.";
    char id[32];
    snprintf(id, sizeof id, "%024lx", number);
    must(sqlite3_bind_text(statement, 1, id, -1, SQLITE_TRANSIENT));
    must(sqlite3_bind_int64(statement, 2, number % 500));
    must(sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC));
    must(sqlite3_bind_int64(statement, 4, 1700000000000 + number));
    must(sqlite3_step(statement));
    must(sqlite3_reset(statement));
}

int main(int count, char **words) {
    errno = 0;
    if (count != 4) give_up("words");
    int rows = atoi(words[2]);
    double seconds = atof(words[3]);
    must(sqlite3_open(words[1], &base));
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
        "CREATE TABLE comment (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL,"
        " page INTEGER NOT NULL, author TEXT NOT NULL, source TEXT NOT NULL, html TEXT NOT NULL, date INTEGER NOT NULL);"
        "CREATE INDEX comment_page ON comment (page, date);");
    sqlite3_stmt *statement;
    must(sqlite3_prepare_v2(base, "INSERT INTO comment (id, tenant, page, author, source, html, date)"
                                  " VALUES (?1, 'tenant', ?2, 'tenant:author', ?3, ?3, ?4)", -1, &statement, NULL));
    long done = 0;
    double begin = now(), used = clock_seconds(CLOCK_PROCESS_CPUTIME_ID), took = 0;
    while (took < seconds) {
        run("BEGIN IMMEDIATE");
        for (int i = 0; i < rows; i++) insert(statement, done++);
        run("COMMIT");
        took = now() - begin;
    }
    double cost = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
    sqlite3_finalize(statement);
    sqlite3_close(base);
    char name[4096];
    const char *ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", words[1], ends[i]);
        unlink(name);
    }
    printf("{\"rows\":%ld,\"rate\":%.1f,\"cost\":%.4f,\"version\":\"%s\"}\n", done, (double)done / took,
           cost * 1e6 / (double)done, sqlite3_libversion());
    return 0;
}

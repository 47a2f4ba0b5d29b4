import Bytes
import Crypto
import SQLite

/// One step in the history of the tables.
struct Migration: Sendable {
    let number: Int64
    let name: String
    let sql: String

    init(_ number: Int64, _ name: String, _ sql: [UInt8]) {
        self.number = number
        self.name = name
        self.sql = String(decoding: sql, as: UTF8.self)
    }

    /// "0001_server", as the file is called.
    var title: String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + name
    }

    var checksum: String { Hex.encode(Digest.sha256(Array(sql.utf8))) }
}

/// Brings a database up to the newest migration, each in one transaction, and refuses one that does not fit.
struct Migrator: Sendable {
    let migrations: [Migration]
    /// A database that the first of them have run on, compressed; nil to begin with none.
    let fresh: [UInt8]?

    /// The migrations of `Migrations/`, compiled in.
    init() {
        migrations = Self.known
        fresh = PackageResources.fresh_db_gz
    }

    init(migrations: [Migration], fresh: [UInt8]? = nil) {
        self.migrations = migrations
        self.fresh = fresh
    }

    // The generated names lack the first digit of the file's name.
    private static let known = [
        Migration(1, "server", PackageResources._001_server_sql),
        Migration(2, "tenants", PackageResources._002_tenants_sql),
        Migration(3, "people", PackageResources._003_people_sql),
        Migration(4, "comments", PackageResources._004_comments_sql),
        Migration(5, "votes", PackageResources._005_votes_sql),
        Migration(6, "flags_blocks", PackageResources._006_flags_blocks_sql),
        Migration(7, "feed", PackageResources._007_feed_sql),
        Migration(8, "notifications", PackageResources._008_notifications_sql),
        Migration(9, "people", PackageResources._009_people_sql),
        Migration(10, "uploads", PackageResources._010_uploads_sql),
        Migration(11, "settings", PackageResources._011_settings_sql),
        Migration(12, "search_views", PackageResources._012_search_views_sql),
        Migration(13, "page_reacts", PackageResources._013_page_reacts_sql),
        Migration(14, "tenant_versions", PackageResources._014_tenant_versions_sql),
        Migration(15, "moderation", PackageResources._015_moderation_sql),
        Migration(16, "moderation_queue", PackageResources._016_moderation_queue_sql),
        Migration(17, "bans", PackageResources._017_bans_sql),
        Migration(18, "badges", PackageResources._018_badges_sql),
        Migration(19, "api", PackageResources._019_api_sql),
        Migration(20, "accounts", PackageResources._020_accounts_sql),
        Migration(21, "domains", PackageResources._021_domains_sql),
        Migration(22, "forms", PackageResources._022_forms_sql),
        Migration(23, "webhooks", PackageResources._023_webhooks_sql),
        Migration(24, "decision", PackageResources._024_decision_sql),
        Migration(25, "upkeep", PackageResources._025_upkeep_sql),
        Migration(26, "roster", PackageResources._026_roster_sql),
        Migration(27, "answers_by_day", PackageResources._027_answers_by_day_sql),
        Migration(28, "feed_pages", PackageResources._028_feed_pages_sql),
    ]

    /// Applies what is missing. Asks `mayChange` once something is; false is a refusal.
    func run(on connection: Connection, path: String, mayChange: () throws(StoreError) -> Bool) throws(StoreError) {
        guard try !missing(on: connection, path: path).isEmpty else { return }
        guard try mayChange() else {
            throw StoreError(
                "The tables of \(path) are older than this program, and a server is using them. "
                    + "Restart the server with this version first.")
        }
        do throws(SQLiteError) {
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS schema_migration (
                    number     INTEGER PRIMARY KEY,
                    name       TEXT    NOT NULL,
                    sha256     TEXT    NOT NULL,
                    applied_at INTEGER NOT NULL
                )
                """)
        } catch {
            throw StoreError(error, at: path)
        }
        // Asked anew for each: another program may be doing the same.
        while try applyNext(on: connection, path: path) {}
    }

    /// Says of the migrations that came with a fresh database that they were applied now. It is on the disk together with
    /// the next commit.
    func date(_ connection: Connection) throws(SQLiteError) {
        try connection.setSynchronous(.off)
        let statement = try connection.prepare("UPDATE schema_migration SET applied_at = ?1 WHERE applied_at = 0")
        try statement.bind([.int(Clock.wallMilliseconds)])
        while try statement.step() {}
        statement.reset()
        try connection.setSynchronous(.full)
    }

    /// Throws unless the database has just the migrations that this program knows.
    func requireKnown(_ connection: Connection, path: String) throws(StoreError) {
        guard let next = try missing(on: connection, path: path).first else { return }
        throw StoreError(
            "The database \(path) lacks migration \(next.title). Use the version of this program that made it.")
    }

    /// Applies one migration. False if none was missing.
    private func applyNext(on connection: Connection, path: String) throws(StoreError) -> Bool {
        do throws(SQLiteError) {
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            throw StoreError(error, at: path)
        }
        defer { if !connection.isAutocommit { try? connection.execute("ROLLBACK") } }
        guard let next = try missing(on: connection, path: path).first else { return false }
        do throws(SQLiteError) {
            try connection.execute(script: next.sql)
            try record(next, on: connection)
            try connection.execute("COMMIT")
        } catch {
            let advice =
                StoreError.advice(for: error.code)
                ?? "Restore the former version of this program, or report the failure."
            throw StoreError("Migration \(next.title) of \(path) failed and changed nothing: \(error). \(advice)")
        }
        return true
    }

    private func record(_ migration: Migration, on connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            "INSERT INTO schema_migration (number, name, sha256, applied_at) VALUES (?1, ?2, ?3, ?4)")
        defer { statement.reset() }
        try statement.bind([
            .int(migration.number), .text(migration.name), .text(migration.checksum), .int(Clock.wallMilliseconds),
        ])
        while try statement.step() {}
    }

    /// What the database lacks, in order. Throws if its history is not the beginning of ours.
    private func missing(on connection: Connection, path: String) throws(StoreError) -> ArraySlice<Migration> {
        let applied = try applied(on: connection, path: path)
        guard applied.count <= migrations.count else {
            throw StoreError(
                "The database \(path) was made by a newer version of this program (it has \(applied.count) migrations, "
                    + "this version knows \(migrations.count)). Start that version, or restore an older backup.")
        }
        for (found, expected) in zip(applied, migrations) {
            // By place, not by count: numbers may be left out, as those of work that was given up.
            guard found.number == expected.number else {
                throw StoreError(
                    "The database \(path) lacks migration \(expected.number) but has migration \(found.number). "
                        + "Somebody edited its table schema_migration; restore a backup.")
            }
            guard found.checksum == expected.checksum else {
                throw StoreError(
                    "Migration \(expected.title) is not the one that was applied to \(path). Migrations never change once "
                        + "they have run: start the version that made this database, or restore a backup.")
            }
        }
        return migrations[applied.count...]
    }

    private func applied(
        on connection: Connection, path: String
    ) throws(StoreError) -> [(number: Int64, checksum: String)] {
        do throws(SQLiteError) {
            guard try hasHistory(connection) else { return [] }
            let statement = try connection.prepare("SELECT number, sha256 FROM schema_migration ORDER BY number")
            var rows: [(number: Int64, checksum: String)] = []
            while try statement.step() { rows.append((statement.int64(0), statement.text(1))) }
            return rows
        } catch {
            throw StoreError(error, at: path)
        }
    }

    private func hasHistory(_ connection: Connection) throws(SQLiteError) -> Bool {
        let statement = try connection.prepare(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migration'")
        return try statement.step()
    }
}

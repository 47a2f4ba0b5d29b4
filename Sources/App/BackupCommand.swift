import API
import Domain
import Storage

enum BackupCommand: Command {
    static let name = "backup"
    static let summary = "copies the database and the uploads while the server runs"
    static let help = """
        Usage: parley backup FOLDER [--data FOLDER]

        Copies everything into a new FOLDER: the database as it is at one moment, and the files of uploads that it names.
        Nobody has to stop meanwhile. The copy is checked: the file is sound, every reference leads somewhere, all counts
        are right, every upload is there. Only then does FOLDER get its name, so that one which is there is whole.

        Files of exports are left out; they can be made again. FOLDER may not be in the data folder, with which it would be
        lost.

        Example:
          parley backup /backups/parley-2026-01-31 --data /var/lib/parley
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["data"], plain: [])
        guard arguments.words.count == 1 else { throw ToolError("Say the FOLDER that the backup is to be in.") }
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let folder = arguments.words[0]
        // With the server's folder its backup would be lost, and each backup would hold the ones before.
        guard !Files.isInside(folder, configuration.data) else {
            throw ToolError("\(folder) is in the data folder, \(configuration.data). Name a folder elsewhere.")
        }
        guard !Files.exists(folder) else { throw ToolError("There is a \(folder) already. Name a new folder.") }
        guard Files.exists(configuration.data + "/parley.db") else {
            throw ToolError("There is no database in \(configuration.data). Name the server's folder with --data.")
        }
        let draft = folder + ".unfinished"
        Files.removeFolder(draft)
        try Files.makeFolder(draft, mode: Archive.folderMode)
        do {
            let contents = try Archive.copy(from: configuration.data, to: draft, as: .backup)
            try Files.rename(draft, to: folder)
            Console.print("Backed up into \(folder): \(contents). Sound, and all counts are right.")
        } catch {
            Files.removeFolder(draft)
            throw error
        }
        return 0
    }
}

enum RestoreCommand: Command {
    static let name = "restore"
    static let summary = "puts a backup into a data folder"
    static let help = """
        Usage: parley restore BACKUP [--data FOLDER] [--replace]

        Checks a backup that parley backup made, and puts it into a data folder. The server must not be running there.

          --replace  a database that is there is set aside, into a folder replaced-TIME beside it; without, it is kept and
                     nothing is done

        Example:
          parley restore /backups/parley-2026-01-31 --data /var/lib/parley
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["data"], plain: ["replace"])
        guard arguments.words.count == 1 else { throw ToolError("Say the folder of the BACKUP.") }
        let backup = arguments.words[0]
        guard Files.exists(backup + "/parley.db") else { throw ToolError("There is no backup in \(backup).") }
        let data = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load().data
        var contents = ""
        do throws(StoreError) {
            try Backup.whileStopped(data) { () throws(StoreError) in
                do throws(ToolError) {
                    contents = try restore(backup, into: data, replaces: arguments.has("replace"))
                } catch {
                    throw StoreError(error.sentence)
                }
            }
        } catch {
            throw ToolError(error.description)
        }
        Console.print("Restored into \(data): \(contents).")
        return 0
    }

    private static func restore(
        _ backup: String, into data: String, replaces: Bool
    ) throws(ToolError) -> String {
        guard replaces || !Files.exists(data + "/parley.db") else {
            throw ToolError("There is a database in \(data) already. Add --replace to set it aside.")
        }
        let draft = data + "/restoring"
        Files.removeFolder(draft)
        try Files.makeFolder(draft, mode: Archive.folderMode)
        do {
            let contents = try Archive.copy(from: backup, to: draft, as: .restore)
            try setAside(data)
            // The database comes last: without it, nothing starts with half of a backup.
            for name in ["uploads", "parley.db"] { try Files.rename("\(draft)/\(name)", to: "\(data)/\(name)") }
            try Files.sync(data)
            Files.removeFolder(draft)
            return contents
        } catch {
            Files.removeFolder(draft)
            throw error
        }
    }

    /// Moves what is there out of the way. A log must not stay beside a database that is not its own.
    private static func setAside(_ data: String) throws(ToolError) {
        let names = ["parley.db", "parley.db-wal", "parley.db-shm", "uploads"].filter { Files.exists("\(data)/\($0)") }
        guard !names.isEmpty else { return }
        let aside = "\(data)/replaced-\(Clock.wallMilliseconds)"
        try Files.makeFolder(aside, mode: Archive.folderMode)
        for name in names { try Files.rename("\(data)/\(name)", to: "\(aside)/\(name)") }
        Console.print("What was there is in \(aside).")
    }
}

/// A database with its uploads, copied and checked.
private enum Archive {
    /// What a copy is made for, which decides what helps when it fails.
    enum Purpose {
        case backup, restore

        var missingUpload: String {
            switch self {
            case .backup: "If it was removed while this ran, try again."
            case .restore: "The backup is not whole. Take another one."
            }
        }

        var wrongCount: String {
            switch self {
            case .backup: "Run parley doctor and try again."
            case .restore: "The backup is not sound. Take another one."
            }
        }

        /// That of the store is for the database of a server.
        func advice(_ sentence: String) -> String {
            let usual = ["Restore a backup.", "Move it away, or restore a backup."].first { sentence.hasSuffix($0) }
            guard self == .restore, let usual else { return sentence }
            return sentence.dropLast(usual.count) + "Take another backup."
        }
    }

    /// Keys and addresses are in it: nobody else shall look.
    static let folderMode: UInt32 = 0o700

    /// - Returns: what is in it, in words.
    static func copy(from source: String, to target: String, as purpose: Purpose) throws(ToolError) -> String {
        let path = target + "/parley.db"
        let progress = Progress("Copying the database")
        do throws(StoreError) {
            try Backup.copy(source + "/parley.db", to: path, progress: progress.show)
            Console.printError("Checking the copy …")
            let contents = try Backup.verify(path) { (session) throws(APIError) -> Contents in
                try Contents(in: &session, as: purpose)
            }
            let files = try copyUploads(contents.uploads, from: source, to: target, as: purpose)
            return [(contents.tenants, "tenant"), (contents.comments, "comment"), (files, "file")]
                .map { count, noun in "\(count) \(noun)\(count == 1 ? "" : "s")" }.joined(separator: ", ")
        } catch {
            throw ToolError(purpose.advice(error.description))
        }
    }

    private static func copyUploads(
        _ names: Set<String>, from source: String, to target: String, as purpose: Purpose
    ) throws(StoreError) -> Int {
        let progress = Progress("Copying uploads")
        do throws(ToolError) {
            try Files.makeFolder(target + "/uploads", mode: folderMode)
            for (index, name) in names.sorted().enumerated() {
                guard try Files.copy("\(source)/uploads/\(name)", to: "\(target)/uploads/\(name)") else {
                    throw ToolError("The file \(name) of an upload is missing. \(purpose.missingUpload)")
                }
                progress.show(index + 1, names.count)
            }
            try Files.sync(target + "/uploads")
            try Files.sync(target)
        } catch {
            throw StoreError(error.sentence)
        }
        return names.count
    }

    /// What a database says of itself, all of it counted again.
    private struct Contents {
        let tenants: Int
        let comments: Int
        let uploads: Set<String>

        init(in session: inout Session, as purpose: Purpose) throws(APIError) {
            let tenants = try TenantSQL.all(in: &session)
            for (id, _) in tenants {
                guard let finding = try CountCheck.findings(tenant: id, in: &session).first else { continue }
                throw .internal(
                    "\(id): \(finding.what): \(finding.kept) instead of \(finding.counted). "
                        + purpose.wrongCount)
            }
            self.tenants = tenants.count
            comments = try CountCheck.comments(in: &session)
            uploads = try UploadSQL.names(in: &session)
        }
    }
}

/// Says on standard error how far something is, at every tenth.
private final class Progress {
    private let what: String
    private var shown = 0

    init(_ what: String) { self.what = what }

    func show(_ done: Int, _ total: Int) {
        let tenth = total > 0 ? 10 * done / total : 10
        guard tenth > shown else { return }
        shown = tenth
        Console.printError("\(what): \(10 * tenth) %")
    }
}

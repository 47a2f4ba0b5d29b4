import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// Files of comments for administrators (contract: admin 6.1, 9).
@Suite struct ExportTests {
    private let folder: Folder
    private let tenant = ParleyProcess.Tenant(id: "site", apiKey: "SITEKEY")

    init() throws { folder = try Folder() }

    private func start() throws -> ParleyProcess {
        try ParleyProcess(.data(folder.path + "/data"), environment: ["PARLEY_TENANTS": "site:SITEKEY"])
    }

    private func seed(_ comments: [JSONValue]) throws {
        try ParleyProcess.seed(
            ["pages": [["tenant": "site", "urlId": "page", "title": "Page, \"one\"", "comments": .array(comments)]]],
            into: folder.path + "/data")
    }

    private func call(
        _ reader: Reader, _ method: String, _ path: String, _ query: QueryItems = [:]
    ) throws -> Answer {
        try reader.client.request(
            method, "/auth/my-account/moderate-comments/mod_api/api/\(path)",
            ["tenantId": reader.tenant, "sso": reader.sso] + query)
    }

    private func begin(_ admin: Reader, _ query: QueryItems = [:]) throws -> String {
        let answer = try call(admin, "POST", "export", query)
        return try #require(answer["batchJobId"]?.string, "\(answer.status): \(answer.text)")
    }

    /// Waits for the end of a job.
    private func finished(_ job: String, _ admin: Reader) throws -> Answer {
        let deadline = Deadline.usual
        while true {
            let answer = try call(admin, "GET", "export/status", ["batchJobId": job])
            let state = answer["jobStatus"]?.string
            if state != "requested", state != "running" { return answer }
            guard deadline.milliseconds > 0 else { throw ConnectionFault.timedOut }
        }
    }

    /// Fetches the file of a finished job.
    private func download(_ status: Answer, _ server: ParleyProcess) throws -> Answer {
        let url = try #require(status["downloadUrl"]?.string, "\(status.text)")
        #expect(url.hasPrefix(server.url + "/exports/"))
        let client = try server.client()
        client.checksContract = false
        return try client.request("GET", String(url.dropFirst(server.url.count)))
    }

    private func lines(_ file: Answer) -> [String] {
        file.text.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    }

    @Test func everyMatchIsInTheFile() throws {
        let server = try start()
        let admin = try server.reader(.admin, of: tenant, at: "page")
        try seed((0..<1201).map { ["name": "Guest", "comment": .string($0 % 3 == 0 ? "three \($0)" : "other \($0)")] })
        let all = try finished(begin(admin), admin)
        #expect(all["jobStatus"] == "success")
        #expect(all["recordCount"] == 1201)
        let file = try download(all, server)
        #expect(file.status == 200)
        #expect(file.header("content-disposition")?.hasPrefix("attachment; filename=\"comments-") == true)
        #expect(file.header("x-content-type-options") == "nosniff")
        #expect(file.header("cache-control") == "private, no-store")
        let rows = lines(file)
        #expect(rows.count == 1202)
        let ids = rows.dropFirst().map { String($0.prefix { $0 != "," }) }
        let first = try call(admin, "GET", "ids")["ids"]?.array?.compactMap(\.string) ?? []
        #expect(Array(ids.prefix(1000)) == first)
        #expect(Set(ids).count == 1201)

        let some = try finished(begin(admin, ["text-search": "three", "sorts": "oldest"]), admin)
        #expect(some["recordCount"] == 401)
        #expect(lines(try download(some, server)).count == 402)
        let none = try finished(begin(admin, ["filters": "spam"]), admin)
        #expect(none["recordCount"] == 0)
        #expect(lines(try download(none, server)).count == 1)
    }

    @Test func cellsAreQuotedAndNoFormulas() throws {
        let server = try start()
        let admin = try server.reader(.admin, of: tenant, at: "page")
        try seed([["name": "@name", "comment": "=1+1, \"said\"\nthen"], ["name": "-5", "comment": "plain"]])
        let text = try download(finished(begin(admin), admin), server).text
        #expect(text.hasPrefix("id,parentId,urlId,url,pageTitle,userId,commenterName,commenterEmail,comment,"))
        #expect(text.contains(",\"Page, \"\"one\"\"\","))
        #expect(text.contains(",'@name,,\"'=1+1, \"\"said\"\"\nthen\","))
        #expect(text.contains(",-5,,plain,"))
        #expect(text.hasSuffix("\r\n"))
    }

    @Test func aKilledServersFileIsFinishedByTheNext() throws {
        var server = try start()
        var admin = try server.reader(.admin, of: tenant, at: "page")
        try seed((0..<4000).map { ["name": "Guest", "comment": .string("Number \($0)")] })
        let job = try begin(admin)
        while try call(admin, "GET", "export/status", ["batchJobId": job])["recordCount"] == 0 {}
        try server.kill()
        // What a part that was not noted left behind goes.
        let name = try #require(Self.files(folder).first)
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/data/exports/\(name)"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("half a line".utf8))
        try handle.close()
        server = try start()
        admin = try server.reader(.admin, of: tenant, at: "page")
        let status = try finished(job, admin)
        #expect(status["jobStatus"] == "success")
        #expect(status["recordCount"] == 4000)
        let ids = lines(try download(status, server)).dropFirst().map { $0.prefix { $0 != "," } }
        #expect(ids.count == 4000)
        #expect(Set(ids).count == 4000)
    }

    @Test func aFileThatIsGoneIsNotServedAndOneThatIsOldExpires() throws {
        var server = try start()
        var admin = try server.reader(.admin, of: tenant, at: "page")
        try seed([["name": "Guest", "comment": "One"]])
        let job = try begin(admin)
        let path = try #require(try finished(job, admin)["downloadUrl"]?.string).dropFirst(server.url.count)
        try server.terminate()
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readWrite)
        try connection.execute(script: "UPDATE export_job SET expires_at = \(SSO.now - 1)")
        server = try start()
        admin = try server.reader(.admin, of: tenant, at: "page")
        let status = try call(admin, "GET", "export/status", ["batchJobId": job])
        #expect(status["jobStatus"] == "expired", "\(status.text)")
        #expect(status["recordCount"] == 1)
        #expect(status["downloadUrl"] == nil)
        let client = try server.client()
        client.checksContract = false
        #expect(try client.request("GET", String(path)).status == 404)
        eventually { Self.files(folder).isEmpty }
    }

    private static func files(_ folder: Folder) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/exports")) ?? []
    }

    @Test func onlyAdministratorsExport() throws {
        let server = try start()
        let admin = try server.reader(.admin, of: tenant, at: "page")
        let job = try begin(admin)
        _ = try finished(job, admin)
        for (person, status, code) in [
            (nil, 401, "not-logged-in"), (Person.ann, 403, "unauthorized"), (.moderator, 403, "unauthorized"),
        ] as [(Person?, Int, String)] {
            let reader = try server.reader(person, of: tenant, at: "page")
            for answer in [
                try call(reader, "POST", "export"),
                try call(reader, "GET", "export/status", ["batchJobId": job]),
            ] {
                #expect(answer.status == status)
                #expect(answer.code == code)
            }
        }
        let other = try server.reader(.admin, of: server.makeTenant(), at: "page")
        #expect(try call(other, "GET", "export/status", ["batchJobId": job]).status == 404)
        #expect(try call(admin, "GET", "export/status", ["batchJobId": "nobody"]).code == "not-found")
        #expect(try call(admin, "GET", "export/status").code == "invalid-input")
        #expect(try call(admin, "POST", "export", ["searchFilters": "["]).status == 422)
        let client = try server.client()
        client.checksContract = false
        for name in ["nobody.csv", "..%2Fparley.db", "%2e%2e"] {
            #expect(try client.request("GET", "/exports/\(name)").status == 404)
        }
        #expect(Self.files(folder).count == 1)
    }
}

import Foundation
import Images
import JSON
import SQLite
import TestSupport
import Testing

/// A tenant on a server whose folder of uploads a test can look into.
struct UploadSite {
    let site: Site
    let server: SeededServer

    init(_ settings: JSONValue = [:], isExempt: Bool = true, on server: SeededServer? = nil) throws {
        self.server = try server ?? .uploads("one file at a time")
        site = try Site(settings, isExempt: isExempt, on: self.server)
    }

    /// Uploads one file.
    func upload(
        _ bytes: [UInt8], type: String? = nil, name: String = "image", _ query: QueryItems = [:],
        headers: [(String, String)] = []
    ) throws -> Answer {
        try site.client().upload(Form(bytes, type: type, name: name), to: site.tenant.id, query, headers: headers)
    }

    /// Uploads a file of the tests, which must be taken.
    func uploaded(
        _ file: String, _ query: QueryItems = [:], headers: [(String, String)] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let answer = try upload(try TestImage.file(file), query, headers: headers)
        #expect(answer.isSuccess, "\(answer.status): \(answer.text)", sourceLocation: sourceLocation)
        return answer
    }

    /// The answer must be such a refusal, and leave neither rows nor files.
    func refuses(
        _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation, _ request: () throws -> Answer
    ) throws {
        let before = try files()
        try site.refuses(status, code, sourceLocation: sourceLocation, request)
        #expect(try files() == before, sourceLocation: sourceLocation)
        #expect(try files() == names(), sourceLocation: sourceLocation)
    }

    /// What an address of an answer leads to.
    func fetch(
        _ address: String?, _ method: String = "GET", headers: [(String, String)] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let address = try #require(address, sourceLocation: sourceLocation)
        let prefix = "http://127.0.0.1:\(server.process.port)/uploads/"
        try #require(address.hasPrefix(prefix), "\(address)", sourceLocation: sourceLocation)
        return try site.client().send(
            method, "/uploads/" + address.dropFirst(prefix.count), headers: headers, body: nil)
    }

    /// Names of all files in the folder.
    func files() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/uploads"))
    }

    /// Names of all rows.
    func names() throws -> Set<String> {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare("SELECT name FROM upload")
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0)) }
        return names
    }
}

/// Macros do not take a span.
func probe(_ bytes: [UInt8]) throws(ImageFault) -> ImageProbe { try ImageProbe(bytes.span) }

/// Sizes that an answer names.
struct Media: Equatable {
    let width: Int
    let height: Int
    let address: String

    static func list(_ answer: Answer) -> [Media] {
        (answer["media"]?.array ?? []).map { item in
            Media(
                width: Int(item["w"]?.integer ?? 0), height: Int(item["h"]?.integer ?? 0),
                address: item["src"]?.string ?? "")
        }
    }

    var size: [Int] { [width, height] }
}

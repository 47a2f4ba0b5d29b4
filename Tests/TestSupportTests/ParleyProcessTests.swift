import Foundation
import JSON
import TestSupport
import Testing
import WebSocket

/// What the tests of the running server stand on, tried against the running server.
@Suite struct ParleyProcessTests {
    @Test func aServerStartsAnswersAndStopsInOrder() throws {
        let server = try ParleyProcess()
        #expect(server.url == "http://127.0.0.1:\(server.port)")
        #expect(server.tenants.map(\.id) == ["demo"])
        #expect(try server.client().request("GET", "/healthz").status == 200)
        #expect(try server.terminate() == .status(0))
        #expect(server.errorOutput.contains("stopped"))
    }

    @Test func aKilledServerSaysSo() throws {
        let server = try ParleyProcess()
        #expect(try server.kill() == .signal(9))
        #expect(throws: ConnectionFault.self) { try server.client().request("GET", "/healthz") }
    }

    @Test func aServerThatCannotStartTellsWhy() throws {
        let fault = #expect(throws: StartFault.self) { try ParleyProcess(environment: ["PARLEY_PORT": "many"]) }
        #expect(fault?.description.contains("PARLEY_PORT") == true)
    }

    @Test func anotherServerGoesOnWithTheSameFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try ParleyProcess(.data(folder.path))
        let tenant = try first.makeTenant()
        let id = try first.reader(.author, of: tenant, at: "page").posted("Still here")
        try first.kill()
        let second = try ParleyProcess(.data(folder.path))
        let page = try second.reader(nil, of: tenant, at: "page").comments()
        #expect(page["comments", 0, "_id"]?.string == id)
    }

    @Test func readersSeeEachOtherLive() throws {
        let server = try ParleyProcess()
        let tenant = try server.makeTenant()
        let author = try server.reader(.author, of: tenant, at: "page")
        let reader = try server.reader(.reader(1), of: tenant, at: "page")
        let live = try reader.live(reader.comments())
        let id = try author.posted("Hello", broadcastID: "mine")
        let event = try live.event("new-comment")
        #expect(event["comment", "_id"]?.string == id)
        #expect(event["broadcastId"]?.string == "mine")
        #expect(try reader.vote(id).isSuccess)
        #expect(try live.event("new-vote")["broadcastId"] != nil)
        #expect(try author.edit(id, "Hello again").isSuccess)
        #expect(try author.text(id)["commentText"]?.string == "Hello again")
        #expect(try reader.flag(id).isSuccess)
        #expect(try reader.block(id, known: [id])["commentStatuses", .key(id)] == true)
        #expect(try author.signedOn(nil).delete(id).status == 401)
        #expect(try reader.signedOn(SSO.secure(.admin, key: tenant.apiKey)).mark(id, "pin").isSuccess)
        #expect(try author.delete(id).isSuccess)
        try live.ping([1, 2, 3])
        var next = try live.next()
        while next != .pong([1, 2, 3]) { next = try live.next() }
        #expect(try live.close() == .normal)
        #expect(try server.terminate() == .status(0))
    }

    @Test func rawBytesGetRawAnswers() throws {
        let server = try ParleyProcess()
        let connection = try RawConnection(port: server.port)
        try connection.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        #expect(try connection.readAnswer().status == 200)
        #expect(try connection.readAnswer().status == 200)
        try connection.send("nonsense\r\n\r\n")
        #expect(try connection.readAnswer().status == 400)
        #expect(try connection.readToEnd() == [])
    }

    @Test func anAnswerThatBreaksTheContractIsReported() throws {
        let server = try ParleyProcess()
        let client = try server.client()
        // Served, but by its exact path only on the list of what stands beside the contract.
        var reports: [String] = []
        client.report = { sentence, _ in reports.append(sentence) }
        #expect(try client.request("GET", "/healthz").status == 200)
        #expect(reports.isEmpty)
        #expect(try client.request("GET", "/healthz/").status == 200)
        #expect(reports.count == 1)
    }
}

import Foundation
import JSON
import TestSupport
import Testing
import WebSocket

/// How a server goes when it is asked to.
@Suite struct StopTests {
    @Test func aServerThatStopsTellsItsSocketsAndFinishesWhatItBegan() throws {
        let scene = try Scene()
        let ann = try scene.reader(.ann)
        let text = String(repeating: "long ", count: 390)
        for number in 0..<20 { _ = try ann.posted("\(number) \(text)") }
        let sockets = try (0..<5).map { try scene.reader(.reader($0)).listen() }
        // Many answers that nobody reads: more than the kernel's buffers take, so they are in flight.
        let slow = try RawConnection(port: scene.server.port, receiveBuffer: 2048)
        let path = "/comments/\(scene.tenant.id)?urlId=https%3A%2F%2Fexample.com%2Fscene"
        let requests = 40
        let request = "GET \(path) HTTP/1.1\r\nhost: x\r\n\r\n"
        try slow.send(String(repeating: request, count: requests))
        var answers = [try slow.readAnswer()]

        let began = ContinuousClock.now
        scene.server.signal(SIGTERM)
        for socket in sockets { #expect(try socket.nextClose() == .serviceRestart) }
        while !slow.isEnded {
            guard let answer = try? slow.readAnswer() else { break }
            answers.append(answer)
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0["comments"]?.array?.count == 20 })
        #expect(answers.count >= 2, "what was in flight was cut off")
        #expect(try scene.server.exit() == .status(0))
        #expect(began.duration(to: .now) < .seconds(10))
        #expect(scene.server.errorOutput.contains("stopped"))
        #expect(throws: (any Error).self) { try scene.server.client().request("GET", "/healthz") }
    }

    @Test func aClientThatHangsDoesNotHoldTheServer() throws {
        let scene = try Scene()
        // One who never answers the Close, one who never finishes a request.
        let mute = try scene.reader(.ann).listen()
        let half = try RawConnection(port: scene.server.port)
        try half.send("POST /comments/demo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
        let began = ContinuousClock.now
        #expect(try scene.server.terminate() == .status(0))
        #expect(began.duration(to: .now) < .seconds(10))
        withExtendedLifetime((mute, half)) {}
    }

    @Test func whatWasAnsweredBeforeAStopIsThereAfterIt() throws {
        let folder = try Folder()
        let server = try ParleyProcess(.data(folder.path + "/data"))
        let tenant = try server.makeTenant()
        let posted = Gathered<String>()
        let finish = Crowd.start(4) { thread in
            let writer = try server.reader(.reader(thread), of: tenant, at: "page")
            // Until the server is gone.
            for number in 0..<10_000 {
                guard let answer = try? writer.post("\(number)"), answer.isSuccess else { return }
                if let id = answer["comment", "_id"]?.string { posted.add(id) }
            }
        }
        try posted.wait(for: 50)
        #expect(try server.terminate() == .status(0))
        try finish()
        let next = try ParleyProcess(.data(folder.path + "/data"))
        let reader = try next.reader(nil, of: tenant, at: "page")
        #expect(try Set(reader.everything().compactMap(\.id)).isSuperset(of: posted.all))
    }
}

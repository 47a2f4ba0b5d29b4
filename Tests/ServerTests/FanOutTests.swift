import Testing
import WebSocket

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct FanOutTests {
    private let frame = FrameBatch(FrameEncoder.text([UInt8](repeating: 0x66, count: 1000)))

    @Test func aReaderThatIsStuckIsClosedWith1013AndTheOthersGetEverything() throws {
        let server = try TestServer { $0.sendBufferBytes = 32 * 1024 }
        let stuck = try server.connect(receiveBuffer: 4096)
        let good = try server.connect()
        for client in [stuck, good] {
            try client.upgrade()
            try server.waitForSocket()
        }
        // Far more than two socket buffers and the queue hold.
        for number in 0..<1000 {
            server.post(.send(frame))
            #expect(try good.readFrame().payload.count == 1000, "frame \(number)")
        }
        server.wait { if case .closed = $0 { true } else { false } }
        #expect(server.seenCount == 0)
        var whole = 0
        var code: UInt16?
        while code == nil {
            let next = try stuck.readFrame()
            guard next.opcode == .close else {
                #expect(next.payload.count == 1000)
                whole += 1
                continue
            }
            code = UInt16(next.payload[0]) << 8 | UInt16(next.payload[1])
        }
        #expect(code == 1013)
        #expect(whole < 1000)
        try stuck.sendClose(1013)
        #expect(try stuck.readToEnd() == [])
        try good.send(text: "fine")
        #expect(try good.readText() == "fine")
    }

    @Test func aReaderThatNeverReadsItsCloseIsHungUpOn() throws {
        let server = try TestServer {
            $0.sendBufferBytes = 32 * 1024
            $0.timeouts.write = 50
        }
        let stuck = try server.connect(receiveBuffer: 4096)
        try stuck.upgrade()
        let id = try server.waitForSocket()
        for _ in 0..<1500 { server.post(.send(frame)) }
        server.wait(for: .closed(id))
        server.waitForConnections(0)
    }

    @Test func aReaderThatStallsLongerThanTheCloseTimeoutStillGetsItsClose() throws {
        let server = try TestServer {
            $0.sendBufferBytes = 32 * 1024
            $0.timeouts.close = 20
            $0.timeouts.body = 100
        }
        let stuck = try server.connect(receiveBuffer: 4096)
        try stuck.upgrade()
        let id = try server.waitForSocket()
        for _ in 0..<1500 { server.post(.send(frame)) }
        server.wait(for: .closed(id))
        try server.letTheBodyTimeoutPass()
        #expect(try stuck.readClose() == 1013)
        // It never answers, and now that counts.
        #expect(try stuck.readToEnd() == [])
        server.waitForConnections(0)
    }

    @Test func aTurnThatBringsMoreThanTheLimitDoesNotHurtAReaderThatKeepsUp() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.upgrade()
        try server.waitForSocket()
        for _ in 0..<2000 { server.post(.send(FrameBatch(FrameEncoder.text([0x61])))) }
        for _ in 0..<2000 { #expect(try client.readText() == "a") }
    }

    @Test func aCascadeIsOneEntryHoweverManyFramesItHas() throws {
        let server = try TestServer { $0.sendBufferBytes = 16 * 1024 }
        let client = try server.connect(receiveBuffer: 4096)
        try client.upgrade()
        try server.waitForSocket()
        let frames = (0..<10_000).map { FrameEncoder.text([UInt8]("event \($0)".utf8)) }
        server.post(.send(FrameBatch(frames)))
        server.post(.send(FrameBatch([FrameEncoder.text([UInt8]("last".utf8))])))
        for number in 0..<10_000 { #expect(try client.readText() == "event \(number)") }
        #expect(try client.readText() == "last")
    }
}

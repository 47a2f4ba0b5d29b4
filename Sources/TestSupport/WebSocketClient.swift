import Bytes
import Crypto
import JSON
import WebSocket

/// A blocking client of the live socket. Answers pings by itself. Used by one thread at a time.
package final class WebSocketClient {
    /// What the frames travel over, for tests that send any bytes.
    package let connection: RawConnection
    private var assembler = MessageAssembler(
        role: .client, limits: .init(frameBytes: 16 << 20, messageBytes: 16 << 20))
    private var input: [UInt8] = []
    private var position = 0
    private let mask = MaskingKey(0x37, 0xFA, 0x21, 0x3D)

    /// Opens a socket and waits for the handshake.
    /// - Throws: `ConnectionFault.unexpected` with the status when the server refuses.
    package init(
        port: UInt16, path: String = "/sub", _ query: QueryItems = [:], headers: [(String, String)] = [],
        receiveBuffer: Int32? = nil
    ) throws(ConnectionFault) {
        connection = try RawConnection(port: port, receiveBuffer: receiveBuffer)
        let key = Base64.encode(SecureRandom.bytes(16))
        let fields =
            [
                ("host", "127.0.0.1:\(port)"), ("upgrade", "websocket"), ("connection", "Upgrade"),
                ("sec-websocket-version", Handshake.version), ("sec-websocket-key", key),
            ] + headers
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        try connection.send("GET \(path)\(query.text) HTTP/1.1\r\n\(lines)\r\n")
        let answer = try connection.readAnswer()
        guard answer.status == 101 else { throw .unexpected("status \(answer.status): \(answer.text)") }
        let accept = Base64.encode(Digest.sha1(Handshake.acceptSource(key: key)))
        guard answer.header("sec-websocket-accept") == accept else {
            throw .unexpected("sec-websocket-accept is wrong")
        }
        input = connection.takeReceived()
    }

    /// The next event of any kind, pings included, which are answered already.
    /// - Throws: `ConnectionFault.closed` when the connection ended, with or without a Close before.
    package func next(by deadline: Deadline = .usual) throws(ConnectionFault) -> MessageEvent {
        while true {
            let event = assembler.next(input.span, &position)
            switch event {
            case .needMore:
                guard try connection.receive(by: deadline) else { throw .closed }
                input = connection.takeReceived()
                position = 0
            case .ping(let payload):
                try send(FrameEncoder.pong(payload, mask: mask))
                return event
            default:
                return event
            }
        }
    }

    /// The next text message.
    /// - Throws: `.unexpected` when something else than text, ping or pong comes first.
    package func nextText(by deadline: Deadline = .usual) throws(ConnectionFault) -> String {
        while true {
            switch try next(by: deadline) {
            case .text(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .ping, .pong: continue
            case let event: throw .unexpected("\(event)")
            }
        }
    }

    /// The next text message as JSON.
    package func nextJSON(by deadline: Deadline = .usual) throws(ConnectionFault) -> JSONValue {
        let text = try nextText(by: deadline)
        guard let value = try? JSONValue.parse(text) else { throw .unexpected("no JSON: \(text)") }
        return value
    }

    /// All events up to and including the first for which `isLast` holds.
    package func events(
        by deadline: Deadline = .usual, through isLast: (JSONValue) -> Bool
    ) throws(ConnectionFault) -> [JSONValue] {
        var events: [JSONValue] = []
        while true {
            let event = try nextJSON(by: deadline)
            events.append(event)
            if isLast(event) { return events }
        }
    }

    /// The next live event of one of these types; others before it are left out.
    package func event(_ types: String..., by deadline: Deadline = .usual) throws(ConnectionFault) -> JSONValue {
        while true {
            let event = try nextJSON(by: deadline)
            if let type = event["type"]?.string, types.contains(type) { return event }
        }
    }

    /// Reads on to the Close frame, whatever comes before it, and answers it.
    /// - Returns: its code; nil when it has none.
    /// - Throws: `.closed` when the connection ends without a Close.
    package func nextClose(by deadline: Deadline = .usual) throws(ConnectionFault) -> CloseCode? {
        let code = try readClose(by: deadline)
        // The server may be gone already: then there is nobody to answer.
        try? send(FrameEncoder.close(code, mask: mask))
        return code
    }

    private func readClose(by deadline: Deadline) throws(ConnectionFault) -> CloseCode? {
        while true {
            switch try next(by: deadline) {
            case .close(let code, _): return code
            case .failure(let code): throw .unexpected("a frame that breaks the protocol: \(code.rawValue)")
            default: continue
            }
        }
    }

    /// Sends a text message.
    package func send(text: String) throws(ConnectionFault) {
        try send(FrameEncoder.text(Array(text.utf8), mask: mask))
    }

    /// Sends a Ping.
    package func ping(_ payload: [UInt8] = []) throws(ConnectionFault) {
        try send(FrameEncoder.ping(payload, mask: mask))
    }

    /// Sends a Close, waits for the server's, and closes the connection.
    /// - Returns: the code of the server's.
    @discardableResult
    package func close(_ code: CloseCode = .normal) throws(ConnectionFault) -> CloseCode? {
        try send(FrameEncoder.close(code, mask: mask))
        defer { connection.close() }
        return try readClose(by: .usual)
    }

    /// Sends one frame, well formed but masked as every client's must be.
    package func send(
        frame opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true
    ) throws(ConnectionFault) {
        try send(FrameEncoder.frame(opcode, payload, isFinal: isFinal, mask: mask))
    }

    /// Sends any bytes.
    package func send(_ bytes: [UInt8]) throws(ConnectionFault) {
        try connection.send(bytes)
    }
}

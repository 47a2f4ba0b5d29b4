import JSON
import Testing

/// A blocking client on one connection that stays open. Every answer is held against the contract, and a fault of one
/// fails the running test. Used by one thread at a time.
package final class HTTPClient {
    /// Port of the server on this machine.
    package let port: UInt16
    /// Sent as `x-api-key` when set.
    package var apiKey: String?
    /// Off for requests whose answers are no part of the contract.
    package var checksContract = true
    /// What becomes of an answer that breaks the contract: a sentence, and the line that asked.
    package var report: (String, SourceLocation) -> Void = { sentence, sourceLocation in
        Issue.record("\(sentence)", sourceLocation: sourceLocation)
    }
    private let contract: Contract
    private var connection: RawConnection?

    /// Connects with the first request.
    package init(port: UInt16) throws {
        self.port = port
        contract = try Contract.load()
    }

    /// Sends a request with a JSON body, or none, and waits for the answer.
    /// - Parameters:
    ///   - path: percent-encoded where it has to be, without the query.
    ///   - headers: beside `host`, `content-length` and `content-type`, which are added.
    package func request(
        _ method: String, _ path: String, _ query: QueryItems = [:], headers: [(String, String)] = [],
        body: JSONValue? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let type = body == nil ? [] : [("content-type", "application/json")]
        return try send(
            method, path, query, headers: type + headers, body: body?.jsonBytes(), sourceLocation: sourceLocation)
    }

    /// Sends a request with a body of any bytes and waits for the answer.
    package func send(
        _ method: String, _ path: String, _ query: QueryItems = [:], headers: [(String, String)], body: [UInt8]?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        var fields = [("host", "127.0.0.1:\(port)")] + headers
        if let apiKey { fields.append(("x-api-key", apiKey)) }
        if let body { fields.append(("content-length", String(body.count))) }
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        let head = "\(method) \(path)\(query.text) HTTP/1.1\r\n\(lines)\r\n"
        let connection = try openConnection()
        try connection.send(Array(head.utf8) + (body ?? []))
        let answer = try finalAnswer(connection, isHead: method == "HEAD")
        if answer.header("connection")?.lowercased() == "close" { close() }
        if checksContract { check(answer, method, path, sourceLocation) }
        return answer
    }

    /// Closes the connection; the next request opens another one.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func openConnection() throws(ConnectionFault) -> RawConnection {
        if let connection, !connection.isEnded { return connection }
        let connection = try RawConnection(port: port)
        self.connection = connection
        return connection
    }

    private func finalAnswer(_ connection: RawConnection, isHead: Bool) throws(ConnectionFault) -> Answer {
        while true {
            let answer = try connection.readAnswer(isHead: isHead)
            if answer.status >= 200 { return answer }
        }
    }

    private func check(_ answer: Answer, _ method: String, _ path: String, _ sourceLocation: SourceLocation) {
        let violations = contract.violations(
            method, path, status: answer.status, isJSON: answer.isJSON, body: answer.body)
        guard !violations.isEmpty else { return }
        let list = violations.joined(separator: "\n  ")
        report("\(method) \(path) answered \(answer.status):\n  \(list)", sourceLocation)
    }
}

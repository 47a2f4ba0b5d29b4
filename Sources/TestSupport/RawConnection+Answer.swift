import JSON

extension RawConnection {
    /// Takes one HTTP answer (RFC 9112): status line, headers, and the body by its length, chunks, or the end.
    /// - Parameter isHead: the request was HEAD, so no body follows.
    package func readAnswer(isHead: Bool = false, by deadline: Deadline = .usual) throws(ConnectionFault) -> Answer {
        let statusLine = try readLine(by: deadline)
        let words = statusLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]), (100...599).contains(status) else {
            throw .unexpected("status line: \(statusLine)")
        }
        let headers = try readHeaders(by: deadline)
        let body =
            isHead || status < 200 || status == 204 || status == 304 ? [] : try readBody(headers, by: deadline)
        return Answer(status: status, headers: headers, body: body)
    }

    private func readHeaders(by deadline: Deadline) throws(ConnectionFault) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        while true {
            let line = try readLine(by: deadline)
            if line.isEmpty { return headers }
            guard let colon = line.firstIndex(of: ":") else { throw .unexpected("header: \(line)") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append((line[..<colon].lowercased(), String(value)))
        }
    }

    private func readBody(
        _ headers: [(name: String, value: String)], by deadline: Deadline
    ) throws(ConnectionFault) -> [UInt8] {
        let lengths = headers.filter { $0.name == "content-length" }.map(\.value)
        let codings = headers.filter { $0.name == "transfer-encoding" }.map(\.value)
        switch (lengths.count, codings) {
        case (1, []):
            guard let length = Int(lengths[0]), length >= 0 else { throw .unexpected("length: \(lengths[0])") }
            return try read(length, by: deadline)
        case (0, ["chunked"]):
            return try readChunks(by: deadline)
        case (0, []):
            return try readToEnd(by: deadline)
        default:
            throw .unexpected("lengths \(lengths) with codings \(codings)")
        }
    }

    private func readChunks(by deadline: Deadline) throws(ConnectionFault) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try readLine(by: deadline)
            guard let size = Int(line, radix: 16), size >= 0 else { throw .unexpected("chunk size: \(line)") }
            body += try read(size, by: deadline)
            guard try readLine(by: deadline).isEmpty else { throw .unexpected("bytes after a chunk") }
            if size == 0 { return body }
        }
    }
}

import Bytes
import HTTP1

/// The request parser: sees the same requests however the input is split, never exceeds a limit, and what it accepts
/// is well formed.
package enum HTTP1Fuzz: FuzzBody {
    private static let bodyLimit = 512

    private static let limits: Limits = {
        var limits = Limits()
        limits.headBytes = 1024
        limits.headerCount = 12
        limits.targetBytes = 256
        limits.chunkExtensionBytes = 32
        limits.trailerBytes = 64
        return limits
    }()

    /// The input is the whole stream of one connection.
    package static func run(_ data: [UInt8]) {
        let transcripts = Cuts.all(data[...]).map(transcript)
        precondition(transcripts.allSatisfy { $0 == transcripts[0] }, "the requests depend on how the input is split")
    }

    private static func transcript(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var parser = RequestParser(limits: limits)
        var seen: [String] = []
        var body: [UInt8] = []
        for piece in pieces {
            let input = [UInt8](piece)
            var position = 0
            feeding: while true {
                let before = position
                let event = parser.next(input.span, &position)
                precondition(position >= before && position <= input.count, "the parser left its input")
                switch event {
                case .needMore:
                    precondition(position == input.count, "the parser left bytes behind")
                    break feeding
                case .head(let head):
                    check(head)
                    seen.append(describe(head))
                    body = []
                    parser.setBodyLimit(bodyLimit)
                case .body(let range):
                    precondition(!range.isEmpty && range.lowerBound >= before && range.upperBound <= position)
                    body += input[range]
                    precondition(body.count <= bodyLimit, "the body exceeds its limit")
                case .end:
                    seen.append(Hex.encode(body))
                case .failure(let failure):
                    seen.append(failure.reason)
                    return seen
                }
            }
        }
        return seen
    }

    private static func check(_ head: RequestHead) {
        precondition(head.rawPath == "*" || head.rawPath.hasPrefix("/"), "a path without a slash")
        precondition(!head.target.utf8.contains { $0 <= ASCII.space || $0 == ASCII.delete }, "a control in the target")
        precondition(head.target.utf8.count <= limits.targetBytes && head.headers.count <= limits.headerCount)
        precondition(head.headers.all("host").count <= 1, "two hosts")
        for (name, value) in head.headers {
            precondition(!name.isEmpty && !name.utf8.contains(ASCII.colon), "a name that is no token")
            precondition(!value.utf8.contains { ASCII.isControl($0) && $0 != ASCII.tab }, "a control in a value")
            precondition(head.headers.contains(name))
        }
        _ = Query(raw: head.rawQuery, plusIsSpace: true)
        _ = PercentEncoding.decode(head.rawPath.utf8, plusIsSpace: false)
        checkAnswer(to: head)
    }

    /// Whatever a client sent can be echoed in a header without breaking the response.
    private static func checkAnswer(to head: RequestHead) {
        var fields = HeaderFields()
        fields.add("location", head.target)
        for (name, value) in head.headers { fields.add(name, value) }
        var output: [UInt8] = []
        ResponseSerializer.append(
            ResponseHead(status: 200, headers: fields, framing: .length(0), minorVersion: head.minorVersion),
            date: HTTPDate.format(0), to: &output)
        let lines = output.split(separator: ASCII.lineFeed)
        precondition(lines.dropLast().allSatisfy { $0.count > 1 && $0.last == ASCII.carriageReturn })
        precondition(output.suffix(4) == [13, 10, 13, 10] && lines.count <= fields.count + 5, "the response was split")
    }

    private static func describe(_ head: RequestHead) -> String {
        let headers = head.headers.map { "\($0.name): \($0.value)" }
        return "\(head.method) \(head.target) \(head.minorVersion) \(head.framing) \(head.keepsAlive) "
            + "\(head.expectsContinue) \(head.wantsWebSocket) \(headers)"
    }
}

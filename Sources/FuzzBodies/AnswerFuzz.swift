import Bytes
import HTTP1

/// The parser of answers: sees the same answer however the input is split, never exceeds a limit, and takes no answer that
/// could be read in two ways.
package enum AnswerFuzz: FuzzBody {
    private static let limits: Limits = {
        var limits = Limits()
        limits.headBytes = 512
        limits.headerCount = 12
        limits.bodyBytes = 256
        limits.chunkExtensionBytes = 32
        limits.trailerBytes = 64
        return limits
    }()

    /// The first byte chooses the method of the request, the rest is the whole stream of one connection.
    package static func run(_ data: [UInt8]) {
        guard let first = data.first else { return }
        let method = first & 1 == 0 ? Method.get : .head
        let transcripts = Cuts.all(data.dropFirst()).map { transcript($0, to: method) }
        precondition(transcripts.allSatisfy { $0 == transcripts[0] }, "the answer depends on how the input is split")
    }

    private static func transcript(_ pieces: [ArraySlice<UInt8>], to method: Method) -> [String] {
        var parser = ResponseParser(to: method, limits: limits)
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
                    precondition(seen.isEmpty, "two answers")
                    check(head, to: method)
                    seen.append(describe(head))
                case .body(let range):
                    precondition(!range.isEmpty && range.lowerBound >= before && range.upperBound <= position)
                    body += input[range]
                    precondition(body.count <= limits.bodyBytes, "the body exceeds its limit")
                case .end: return seen + [Hex.encode(body), "complete"]
                case .failure(let failure): return seen + [failure.reason]
                }
            }
        }
        return seen + [Hex.encode(body), parser.connectionEnded() ? "complete" : "cut off"]
    }

    private static func check(_ head: ReceivedHead, to method: Method) {
        precondition((200...999).contains(head.status) && head.headers.count <= limits.headerCount)
        for (name, value) in head.headers {
            precondition(!name.isEmpty && !name.utf8.contains(ASCII.colon), "a name that is no token")
            precondition(!value.utf8.contains { ASCII.isControl($0) && $0 != ASCII.tab }, "a control in a value")
        }
        switch head.framing {
        case .none:
            precondition(
                method == .head || head.headers["content-length"] != nil || !StatusCode.allowsBody(head.status))
        case .length(let length):
            precondition(length > 0 && length <= limits.bodyBytes)
            precondition(head.headers.all("content-length").count == 1, "two lengths")
        case .chunked: precondition(!head.headers.contains("content-length"), "a length beside chunks")
        case .untilClose:
            precondition(!head.headers.contains("content-length") && !head.headers.contains("transfer-encoding"))
        }
    }

    private static func describe(_ head: ReceivedHead) -> String {
        let headers = head.headers.map { "\($0.name): \($0.value)" }
        return "\(head.status) \(head.minorVersion) \(head.framing) \(headers)"
    }
}

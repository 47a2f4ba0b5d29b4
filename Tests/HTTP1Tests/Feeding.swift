import Bytes
import HTTP1

/// What a connection would have seen of one byte stream.
struct Transcript: Equatable {
    struct Message: Equatable {
        var method: Method
        var target: String
        var rawPath: String
        var rawQuery: String
        var authority: String
        var minorVersion: Int
        var headers: [String]
        var framing: RequestHead.Framing
        var keepsAlive: Bool
        var expectsContinue: Bool
        var wantsWebSocket: Bool
        var body: String = ""
        var isComplete = false

        init(_ head: RequestHead) {
            method = head.method
            target = head.target
            rawPath = head.rawPath
            rawQuery = head.rawQuery
            authority = head.authority
            minorVersion = head.minorVersion
            headers = head.headers.map { "\($0.name): \($0.value)" }
            framing = head.framing
            keepsAlive = head.keepsAlive
            expectsContinue = head.expectsContinue
            wantsWebSocket = head.wantsWebSocket
        }
    }

    var messages: [Message] = []
    var failure: ParseFailure?

    /// Feeds `pieces` to one parser, with the same body limit for every request.
    init(_ pieces: [ArraySlice<UInt8>], limits: Limits = Limits(), bodyLimit: Int? = nil) {
        var parser = RequestParser(limits: limits)
        for piece in pieces {
            let input = [UInt8](piece)
            var position = 0
            feeding: while true {
                switch parser.next(input.span, &position) {
                case .needMore:
                    precondition(position == input.count, "bytes were left")
                    break feeding
                case .head(let head):
                    messages.append(Message(head))
                    if let bodyLimit { parser.setBodyLimit(bodyLimit) }
                case .body(let range):
                    precondition(!range.isEmpty)
                    messages[messages.count - 1].body += String(decoding: input[range], as: UTF8.self)
                case .end:
                    messages[messages.count - 1].isComplete = true
                case .failure(let found):
                    failure = found
                    return
                }
            }
        }
    }
}

/// The whole, byte by byte, and every way to cut it in two.
func splits(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    let single = bytes.indices.map { bytes[$0...$0] }
    let pairs = bytes.indices.map { [bytes[..<$0], bytes[$0...]] }
    return [[bytes[...]], single] + pairs
}

/// The transcript that all splits agree on; nil when they do not.
func transcript(_ text: String, limits: Limits = Limits(), bodyLimit: Int? = nil) -> Transcript? {
    transcript([UInt8](text.utf8), limits: limits, bodyLimit: bodyLimit)
}

func transcript(_ bytes: [UInt8], limits: Limits = Limits(), bodyLimit: Int? = nil) -> Transcript? {
    let all = splits(of: bytes).map { Transcript($0, limits: limits, bodyLimit: bodyLimit) }
    return all.allSatisfy { $0 == all[0] } ? all[0] : nil
}

/// A request with `lines` between request line and end, and a Host header.
func request(_ lines: String..., line: String = "POST / HTTP/1.1", body: String = "") -> String {
    ([line, "Host: h"] + lines).map { $0 + "\r\n" }.joined() + "\r\n" + body
}

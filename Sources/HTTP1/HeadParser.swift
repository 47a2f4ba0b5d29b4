import Bytes

/// Turns the bytes of one complete head into a `RequestHead`, or says why they are none.
enum HeadParser {
    /// `head` runs from the request line through the empty line that ends it, as `HeadScanner` found it.
    static func parse(_ head: Span<UInt8>, limits: Limits) throws(ParseFailure) -> RequestHead {
        guard let lineEnd = head.firstIndex(of: ASCII.carriageReturn, from: 0), lineEnd + 4 <= head.count else {
            throw .malformedRequestLine
        }
        let line = try RequestLine(parsing: head.extracting(..<lineEnd), targetLimit: limits.targetBytes)
        let section = head.extracting((lineEnd + 2)..<(head.count - 2))
        let headers = try FieldSection.parse(section, limit: limits.headerCount)
        let host = try host(in: headers, minorVersion: line.minorVersion)
        return RequestHead(
            method: line.method, target: line.target, rawPath: line.rawPath, rawQuery: line.rawQuery,
            authority: line.authority ?? host, minorVersion: line.minorVersion, headers: headers,
            framing: try framing(of: headers, minorVersion: line.minorVersion),
            keepsAlive: keepsAlive(headers, minorVersion: line.minorVersion),
            expectsContinue: try expectsContinue(headers, minorVersion: line.minorVersion),
            wantsWebSocket: wantsWebSocket(headers, minorVersion: line.minorVersion))
    }

    /// RFC 9112, section 3.2: exactly one in HTTP/1.1, never two.
    private static func host(in headers: HeaderFields, minorVersion: Int) throws(ParseFailure) -> String {
        let count = headers.count(of: "host")
        guard count == 1 || (count == 0 && minorVersion == 0) else { throw .malformedHost }
        guard let value = headers["host"] else { return "" }
        guard isHost(value.utf8Span.span) else { throw .malformedHost }
        return value
    }

    /// RFC 9112, section 6. Stricter than it allows: whatever two servers could read in two ways is refused.
    static func framing(
        of headers: HeaderFields, minorVersion: Int
    ) throws(ParseFailure) -> RequestHead.Framing {
        let lengths = headers.count(of: "content-length")
        if let encoding = headers["transfer-encoding"] {
            guard lengths == 0 else { throw .conflictingFraming }
            guard minorVersion == 1, headers.count(of: "transfer-encoding") == 1,
                ASCII.equalsIgnoringCase(encoding, "chunked")
            else { throw .malformedTransferEncoding }
            return .chunked
        }
        guard lengths <= 1 else { throw .malformedContentLength }
        guard let value = headers.valueBytes(of: "content-length") else { return .none }
        let length = try contentLength(value)
        return length == 0 ? .none : .length(length)
    }

    private static func contentLength(_ digits: ArraySlice<UInt8>) throws(ParseFailure) -> Int {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { throw .malformedContentLength }
        var length = 0
        for digit in digits {
            let (product, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(digit - ASCII.zero))
            guard !overflow, !carry else { throw .bodyTooLarge }
            length = sum
        }
        return length
    }

    /// RFC 9112, section 9.3.
    private static func keepsAlive(_ headers: HeaderFields, minorVersion: Int) -> Bool {
        if headers.contains("close", inListOf: "connection") { return false }
        return minorVersion == 1 || headers.contains("keep-alive", inListOf: "connection")
    }

    /// RFC 9110, section 10.1.1.
    private static func expectsContinue(
        _ headers: HeaderFields, minorVersion: Int
    ) throws(ParseFailure) -> Bool {
        guard minorVersion == 1, let expectation = headers["expect"] else { return false }
        guard ASCII.equalsIgnoringCase(expectation, "100-continue") else { throw .unknownExpectation }
        return true
    }

    /// RFC 9110, section 7.8: an upgrade asked for in HTTP/1.0 must be ignored.
    private static func wantsWebSocket(_ headers: HeaderFields, minorVersion: Int) -> Bool {
        minorVersion == 1 && headers.contains("websocket", inListOf: "upgrade")
            && headers.contains("upgrade", inListOf: "connection")
    }
}

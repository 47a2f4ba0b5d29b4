import Bytes

/// Everything before the body of one response.
package struct ResponseHead: Sendable {
    /// How the body is delimited. What the status or the method forbids is left out by the serializer.
    package enum Framing: Sendable, Equatable {
        /// A `content-length` of this many bytes. For HEAD: of the body that GET would have.
        case length(Int)
        /// Chunks, ended by `ResponseSerializer.lastChunk`. HTTP/1.0 clients get `.untilClose` instead.
        case chunked
        /// The body ends with the connection.
        case untilClose
    }

    /// 100 to 599.
    package var status: Int
    /// `content-length`, `transfer-encoding`, `date` and, except with status 101, `connection` are left out: they are
    /// the serializer's to write.
    package var headers: HeaderFields
    /// How the body that follows is delimited.
    package var framing: Framing
    /// Of the request: 0 or 1.
    package var minorVersion: Int
    /// Whether the connection lives on after this response.
    package var keepsAlive: Bool

    /// A head for a request of HTTP/1.1 on a connection that lives on, unless told otherwise.
    package init(
        status: Int, headers: HeaderFields = HeaderFields(), framing: Framing, minorVersion: Int = 1,
        keepsAlive: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.framing = framing
        self.minorVersion = minorVersion
        self.keepsAlive = keepsAlive
    }
}

/// Writes HTTP/1.1 responses (RFC 9112). Pure: it appends to the given bytes.
package enum ResponseSerializer {
    /// `HTTP/1.1 100 Continue` with its empty line.
    package static let continueResponse = [UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The chunk of size zero that ends a chunked body, without trailers (RFC 9112, section 7.1).
    package static let lastChunk = [UInt8]("0\r\n\r\n".utf8)

    /// Appends status line, headers and empty line. `date` is an IMF-fixdate (`HTTPDate.format`).
    package static func append(_ head: ResponseHead, date: String, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + 160 + head.headers.bytes.count + 4 * head.headers.count)
        append("HTTP/1.1 ", to: &output)
        appendDecimal(head.status, to: &output)
        output.append(ASCII.space)
        append(StatusCode.reasonPhrase(head.status), to: &output)
        append("\r\ndate: ", to: &output)
        append(date, to: &output)
        append("\r\n", to: &output)
        appendConnection(head, to: &output)
        appendFraming(head, to: &output)
        appendFields(head, to: &output)
        append("\r\n", to: &output)
    }

    /// Appends one chunk with its size line. No bytes append nothing, because an empty chunk would end the body.
    package static func appendChunk(_ bytes: [UInt8], to output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        append(String(bytes.count, radix: 16), to: &output)
        append("\r\n", to: &output)
        output.append(contentsOf: bytes)
        append("\r\n", to: &output)
    }

    /// Whether body bytes follow the head (RFC 9110, section 6.4.1): not for HEAD, 1xx, 204 and 304.
    package static func sendsBody(status: Int, method: Method) -> Bool {
        method != .head && StatusCode.allowsBody(status)
    }

    private static func appendConnection(_ head: ResponseHead, to output: inout [UInt8]) {
        guard head.status != 101 else { return }
        if !head.keepsAlive || resolved(head) == .untilClose {
            append("connection: close\r\n", to: &output)
        } else if head.minorVersion == 0 {
            append("connection: keep-alive\r\n", to: &output)
        }
    }

    private static func appendFraming(_ head: ResponseHead, to output: inout [UInt8]) {
        // RFC 9110, section 8.6: no length with 1xx and 204. With 304 it would be the length of the 200, which is not
        // at hand here.
        guard StatusCode.allowsBody(head.status) else { return }
        switch resolved(head) {
        case .length(let length):
            append("content-length: ", to: &output)
            appendDecimal(length, to: &output)
            append("\r\n", to: &output)
        case .chunked:
            append("transfer-encoding: chunked\r\n", to: &output)
        case .untilClose:
            break
        }
    }

    /// RFC 9112, section 6.1: no transfer coding for a client of HTTP/1.0.
    private static func resolved(_ head: ResponseHead) -> ResponseHead.Framing {
        guard StatusCode.allowsBody(head.status) else { return .length(0) }
        return head.framing == .chunked && head.minorVersion == 0 ? .untilClose : head.framing
    }

    private static func appendFields(_ head: ResponseHead, to output: inout [UInt8]) {
        let bytes = head.headers.bytes
        for field in head.headers.fields where !isReserved(bytes[field.name], status: head.status) {
            output.append(contentsOf: bytes[field.name])
            append(": ", to: &output)
            output.append(contentsOf: bytes[field.value])
            append("\r\n", to: &output)
        }
    }

    private static func isReserved(_ name: ArraySlice<UInt8>, status: Int) -> Bool {
        switch name.count {
        case 4: name.elementsEqual("date".utf8)
        case 10: status != 101 && name.elementsEqual("connection".utf8)
        case 14: name.elementsEqual("content-length".utf8)
        case 17: name.elementsEqual("transfer-encoding".utf8)
        default: false
        }
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        output.append(copying: text.utf8Span.span)
    }

    private static func appendDecimal(_ value: Int, to output: inout [UInt8]) {
        append(String(value), to: &output)
    }
}

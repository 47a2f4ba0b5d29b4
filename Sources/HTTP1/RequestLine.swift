import Bytes

/// The first line of a request (RFC 9112, section 3), without its CR LF.
struct RequestLine {
    let method: Method
    let target: String
    let rawPath: String
    let rawQuery: String
    /// Only an absolute target has one.
    let authority: String?
    let minorVersion: Int

    init(parsing line: Span<UInt8>, targetLimit: Int) throws(ParseFailure) {
        guard let methodEnd = line.firstIndex(of: ASCII.space, from: 0), methodEnd > 0,
            let targetEnd = line.firstIndex(of: ASCII.space, from: methodEnd + 1), targetEnd > methodEnd + 1,
            line.firstIndex(of: ASCII.space, from: targetEnd + 1) == nil
        else { throw .malformedRequestLine }
        for index in 0..<methodEnd where lowerCaseTokenByte(line[index]) == 0 { throw .malformedRequestLine }
        minorVersion = try Self.minorVersion(line.extracting((targetEnd + 1)...))
        guard let method = Method(rawValue: String(repairing: line.extracting(..<methodEnd))) else {
            throw .unknownMethod
        }
        self.method = method

        let target = line.extracting((methodEnd + 1)..<targetEnd)
        guard target.count <= targetLimit else { throw .targetTooLong }
        guard let text = String(validating: target) else { throw .malformedTarget }
        self.target = text
        let (authority, pathStart) = try Self.authority(of: target, method: method)
        let queryMark = target.firstIndex(of: ASCII.question, from: pathStart)
        let pathEnd = queryMark ?? target.count
        // A fragment is never sent, and a tab is the one control byte that the scanner lets pass.
        guard target.firstIndex(of: ASCII.hash, from: 0) == nil, target.firstIndex(of: ASCII.tab, from: 0) == nil else {
            throw .malformedTarget
        }
        self.authority = authority
        rawPath = pathStart == pathEnd ? "/" : String(repairing: target.extracting(pathStart..<pathEnd))
        rawQuery = queryMark.map { String(repairing: target.extracting(($0 + 1)...)) } ?? ""
    }

    private static func minorVersion(_ version: Span<UInt8>) throws(ParseFailure) -> Int {
        let name: [5 of UInt8] = [0x48, 0x54, 0x54, 0x50, 0x2F]
        guard version.count == 8, version[6] == ASCII.dot, ASCII.isDigit(version[5]), ASCII.isDigit(version[7]) else {
            throw .malformedRequestLine
        }
        for index in name.indices where version[index] != name[index] { throw .malformedRequestLine }
        guard version[5] == ASCII.zero + 1, version[7] <= ASCII.zero + 1 else { throw .unknownVersion }
        return Int(version[7] - ASCII.zero)
    }

    /// Splits off what precedes the path (RFC 9112, section 3.2).
    private static func authority(
        of target: Span<UInt8>, method: Method
    ) throws(ParseFailure) -> (authority: String?, pathStart: Int) {
        if target[0] == ASCII.slash { return (nil, 0) }
        if target.count == 1, target[0] == ASCII.asterisk, method == .options { return (nil, 0) }
        guard let schemeEnd = schemeEnd(of: target) else { throw .malformedTarget }
        var end = schemeEnd
        while end < target.count, target[end] != ASCII.slash, target[end] != ASCII.question { end += 1 }
        let authority = target.extracting(schemeEnd..<end)
        guard end > schemeEnd, isHost(authority) else { throw .malformedTarget }
        return (String(repairing: authority), end)
    }

    private static func schemeEnd(of target: Span<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] where target.count > scheme.utf8.count {
            let bytes = scheme.utf8Span.span
            var index = 0
            while index < bytes.count, ASCII.lowercased(target[index]) == bytes[index] { index += 1 }
            if index == bytes.count { return index }
        }
        return nil
    }
}

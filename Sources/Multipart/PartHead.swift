import Bytes

/// What the header lines of a part say.
struct PartHead {
    var name = ""
    var fileName: String?
    var mediaType: String?
}

/// Reads the header lines of one part. Stricter than mail: no folded lines, and only what a form needs.
struct PartHeadReader {
    /// Behind what was read.
    private(set) var position: Int
    private let start: Int
    private let limits: MultipartLimits

    init(position: Int, limits: MultipartLimits) {
        self.position = position
        start = position
        self.limits = limits
    }

    /// Reads to the empty line and past it.
    mutating func read(_ body: Span<UInt8>) throws(MultipartFailure) -> PartHead {
        var head = PartHead()
        var seen: Set<String> = []
        var count = 0
        while let line = try nextLine(body) {
            count += 1
            guard count <= limits.headers else {
                throw MultipartFailure("A part has more than \(limits.headers) header lines.")
            }
            guard let colon = line.firstIndex(of: ASCII.colon), colon > line.startIndex,
                line[..<colon].allSatisfy(ParameterReader.isToken)
            else { throw MultipartFailure("A header line of a part is malformed.") }
            let name = String(decoding: line[..<colon].map(ASCII.lowercased), as: UTF8.self)
            try take(name, line[(colon + 1)...], into: &head, &seen)
        }
        guard seen.contains("content-disposition") else {
            throw MultipartFailure("A part has no Content-Disposition.")
        }
        return head
    }

    private func take(
        _ name: String, _ value: ArraySlice<UInt8>, into head: inout PartHead, _ seen: inout Set<String>
    ) throws(MultipartFailure) {
        switch name {
        case "content-disposition", "content-type", "content-transfer-encoding":
            guard seen.insert(name).inserted else { throw MultipartFailure("A part has two headers \(name).") }
        default:
            return
        }
        let field = try ParameterReader.read(value)
        switch name {
        case "content-disposition":
            guard field.value == "form-data", let given = field["name"] else {
                throw MultipartFailure("The Content-Disposition of a part is not form-data with a name.")
            }
            head.name = given
            head.fileName = field["filename"].map(FileName.clean)
        case "content-type":
            guard field.value.utf8.allSatisfy({ ParameterReader.isToken($0) || $0 == ASCII.slash }) else {
                throw MultipartFailure("The Content-Type of a part is malformed.")
            }
            head.mediaType = field.value.isEmpty ? nil : field.value
        default:
            guard ["binary", "8bit", "7bit"].contains(field.value) else {
                throw MultipartFailure("A part has a Content-Transfer-Encoding, which forms do not have.")
            }
        }
    }

    /// The next line without its end; nil for the empty one.
    private mutating func nextLine(_ body: Span<UInt8>) throws(MultipartFailure) -> ArraySlice<UInt8>? {
        let limit = min(body.count, start + limits.headBytes)
        var end = position
        while end < limit, body[end] != ASCII.carriageReturn {
            guard body[end] >= ASCII.space || body[end] == ASCII.tab, body[end] != ASCII.delete else {
                throw MultipartFailure("A header line of a part has a control character.")
            }
            end += 1
        }
        guard end + 1 < limit else {
            throw MultipartFailure(
                body.count > limit
                    ? "The header lines of a part have more than \(limits.headBytes) bytes."
                    : "The body ends within the header lines of a part.")
        }
        guard body[end + 1] == ASCII.lineFeed else {
            throw MultipartFailure("A header line of a part has a control character.")
        }
        defer { position = end + 2 }
        guard end > position else { return nil }
        guard !ASCII.isBlank(body[position]) else { throw MultipartFailure("A header line of a part is folded.") }
        var line: [UInt8] = []
        line.append(copying: body.extracting(position..<end))
        return line[...]
    }
}

/// Names of files as clients send them.
enum FileName {
    /// The last component, whichever system's path it was, without control characters and at most 255 bytes long.
    static func clean(_ name: String) -> String {
        let last = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in last.unicodeScalars where scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) {
            bytes += UTF8.width(scalar)
            guard bytes <= 255 else { break }
            kept.append(scalar)
        }
        let text = String(kept)
        return text == "." || text == ".." ? "" : text
    }
}

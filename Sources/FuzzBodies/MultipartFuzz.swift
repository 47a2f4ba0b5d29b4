import Bytes
import Multipart

/// The form parser: the parts lie in the body in order, within the limits, and hold what a form made of them would hold.
package enum MultipartFuzz: FuzzBody {
    private static let limits: MultipartLimits = {
        var limits = MultipartLimits()
        limits.parts = 6
        limits.headBytes = 256
        limits.headers = 4
        return limits
    }()

    /// The first line of the input is the content type, the rest is the body.
    package static func run(_ data: [UInt8]) {
        let line = data.prefix { $0 != ASCII.lineFeed }
        let body = Array(data.dropFirst(line.count + 1))
        guard let boundary = try? Multipart.boundary(ofContentType: String(decoding: line, as: UTF8.self)) else {
            return
        }
        precondition((1...70).contains(boundary.count) && boundary.last != ASCII.space, "a boundary that is none")
        let parts: [Multipart.Part]
        do { parts = try Multipart.parts(of: body.span, boundary: boundary, limits: limits) } catch {
            precondition(!error.reason.isEmpty)
            return
        }
        precondition(parts.count <= limits.parts, "too many parts")
        var end = 0
        for part in parts {
            precondition(part.content.lowerBound > end && part.content.upperBound <= body.count, "parts out of order")
            end = part.content.upperBound
            check(part, body, boundary)
        }
        precondition(rebuilt(parts, body) == parts.map { Array(body[$0.content]) }, "a form changes when it is sent on")
    }

    private static func check(_ part: Multipart.Part, _ body: [UInt8], _ boundary: [UInt8]) {
        let name = part.fileName ?? ""
        precondition(!name.contains("/") && !name.contains("\\") && name != ".." && name.utf8.count <= 255, "a path")
        precondition(!name.unicodeScalars.contains { $0.value < 0x20 }, "a control in a name")
        let type = part.mediaType
        precondition(
            type?.isEmpty != true && type?.lowercased() == type && type?.utf8.allSatisfy { $0 < 0x7F } != false)
    }

    /// The contents again, sent with a boundary that none of them has.
    private static func rebuilt(_ parts: [Multipart.Part], _ body: [UInt8]) -> [[UInt8]]? {
        guard !parts.isEmpty else { return [] }
        let mark = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz".prefix(69)
        var form: [UInt8] = []
        for part in parts {
            form += Array("--\(mark)\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n".utf8)
            form += body[part.content] + [ASCII.carriageReturn, ASCII.lineFeed]
        }
        form += Array("--\(mark)--".utf8)
        let again = try? Multipart.parts(of: form.span, boundary: Array(mark.utf8), limits: limits)
        return again?.map { Array(form[$0.content]) }
    }
}

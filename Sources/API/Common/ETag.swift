import Domain
import HTTP1

/// Entity tags (RFC 9110, section 8.8.3).
enum ETag {
    /// Whether the client has what a tag names, by its `If-None-Match`; weakness makes no difference there (section
    /// 13.1.2).
    static func isKnown(_ tag: String, to head: RequestHead) -> Bool {
        guard let field = head.headers["if-none-match"] else { return false }
        return field.split(separator: ",").map { String($0).trimmed }.contains {
            $0 == "*" || $0 == tag || $0 == "W/" + tag
        }
    }
}

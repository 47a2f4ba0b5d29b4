import Bytes

/// The name of a page's live room as clients send it back (contract: live 1.3).
package enum LiveRoomName {
    /// The page id under which a tenant's feed has its room (contract: live 1.4). No page has it.
    package static let feed = "__feeds__"

    /// What reads answer as `urlIdWS`: `tenant:page`, percent-encoded once.
    package static func encode(tenant: String, page: String) -> String {
        PercentEncoding.encodeComponent("\(tenant):\(page)")
    }

    /// The canonical page id behind a value that was query-decoded once, however often the client had encoded it;
    /// a bare page id is accepted too. Nil when it names no page.
    package static func resolve(_ value: String, tenant: String) -> String? {
        // By bytes: a mark after the colon does not hide it.
        let prefix = Array("\(tenant):".utf8)
        var candidate = value
        for _ in 0..<3 {
            if candidate.utf8.starts(with: prefix) { break }
            guard let decoded = PercentEncoding.decode(Array(candidate.utf8), plusIsSpace: false), decoded != candidate
            else { break }
            candidate = decoded
        }
        guard candidate.utf8.starts(with: prefix) else { return PageIdentity.canonical(value) }
        return PageIdentity.canonical(String(decoding: candidate.utf8.dropFirst(prefix.count), as: UTF8.self))
    }
}

import Bytes

/// The name of a page's live room as clients send it back (contract: live 1.3).
package enum LiveRoomName {
    /// What reads answer as `urlIdWS`: `tenant:page`, percent-encoded once.
    package static func encode(tenant: String, page: String) -> String {
        PercentEncoding.encodeComponent("\(tenant):\(page)")
    }

    /// The canonical page id behind a value that was query-decoded once, however often the client had encoded it;
    /// a bare page id is accepted too. Nil when it names no page.
    package static func resolve(_ value: String, tenant: String) -> String? {
        let prefix = tenant + ":"
        var candidate = value
        for _ in 0..<3 {
            if candidate.hasPrefix(prefix) { break }
            guard let decoded = PercentEncoding.decode(Array(candidate.utf8), plusIsSpace: false), decoded != candidate
            else { break }
            candidate = decoded
        }
        if candidate.hasPrefix(prefix) { return PageIdentity.canonical(String(candidate.dropFirst(prefix.count))) }
        return PageIdentity.canonical(value)
    }
}

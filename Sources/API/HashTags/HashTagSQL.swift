import Domain
import JSON
import Storage

/// The tags of a tenant, and those of a comment.
enum HashTagSQL {
    private struct Known {
        let id: String
        let tag: String
        let url: String?
    }

    /// Where tags lead, by what they are compared by; only those that lead anywhere.
    static func addresses(
        _ keys: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [String: String] {
        guard !keys.isEmpty else { return [:] }
        return try known(keys, tenant: tenant, in: &session).compactMapValues(\.url)
    }

    private static func known(
        _ keys: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [String: Known] {
        var known: [String: Known] = [:]
        // One by one: most comments have one tag or none.
        for key in keys where known[key] == nil {
            known[key] = try session.first(
                "SELECT id, tag, url FROM hash_tag WHERE tenant_id = ?1 AND tag_key = ?2", .text(tenant), .text(key)
            ) { (row) throws(APIError) -> Known in
                Known(id: row.text(0), tag: row.text(1), url: row.textOrNil(2))
            }
        }
        return known
    }

    /// Gives a comment its tags.
    /// - Parameters:
    ///   - makesNew: tags that the tenant does not have are made; otherwise they are plain text, unless the client lists
    ///     them.
    ///   - isEdit: the comment had tags, of which the retained ones stay.
    static func store(
        _ tags: [HashTag], of comment: Int64, tenant: String, makesNew: Bool, isEdit: Bool,
        in session: inout Session
    ) throws(APIError) {
        var tags = tags
        if isEdit {
            for tag in try retained(comment, in: &session) where !tags.contains(where: { $0.key == tag.key }) {
                tags.append(tag)
            }
            tags = Array(tags.prefix(HashTags.maximumCount))
            try session.run("DELETE FROM comment_hash_tag WHERE comment_seq = ?1", .integer(comment))
        }
        guard !tags.isEmpty || isEdit else { return }
        var known = try known(tags.map(\.key), tenant: tenant, in: &session)
        if makesNew {
            for tag in tags where known[tag.key] == nil {
                known[tag.key] = try insert(tag, tenant: tenant, in: &session)
            }
        }
        tags.removeAll { known[$0.key] == nil && !$0.isListed && !$0.isRetained }
        try session.run(
            "UPDATE comment SET hash_tags = ?2 WHERE seq = ?1",
            .integer(comment), .text(tags.isEmpty ? nil : JSONText.text(.array(tags.map { json($0, known[$0.key]) }))))
        // Single rows: for a statement of many SQLite keeps what it may have to undo, and to clear that away it walks
        // through all that the unit keeps.
        for tag in tags {
            try session.run(
                "INSERT INTO comment_hash_tag (comment_seq, tag) VALUES (?1, ?2) ON CONFLICT (comment_seq, tag) DO NOTHING",
                .integer(comment), .text(tag.key))
        }
    }

    /// - Returns: the new one.
    private static func insert(_ tag: HashTag, tenant: String, in session: inout Session) throws(APIError) -> Known {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            "INSERT INTO hash_tag (id, tenant_id, tag, tag_key, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            .text(id), .text(tenant), .text(tag.tag), .text(tag.key), .integer(session.now))
        return Known(id: id, tag: tag.tag, url: nil)
    }

    private static func retained(_ comment: Int64, in session: inout Session) throws(APIError) -> [HashTag] {
        let text = try session.first("SELECT hash_tags FROM comment WHERE seq = ?1", .integer(comment)) {
            (row) throws(APIError) -> String in row.text(0)
        }
        return ((try? JSONValue.parse(text ?? ""))?.array ?? []).compactMap { entry in
            guard let object = entry.object, object["retain"]?.bool == true, let written = object["tag"]?.string else {
                return nil
            }
            var tag = HashTag(written: written)
            tag.isRetained = true
            return tag
        }
    }

    private static func json(_ tag: HashTag, _ known: Known?) -> JSONValue {
        var object = JSONObject()
        object.append("id", .string(known?.id ?? tag.key))
        object.append("tag", .string(tag.tag))
        object.append("url", known?.url.map { .string($0) } ?? .null)
        if tag.isRetained { object.append("retain", .bool(true)) }
        return .object(object)
    }
}

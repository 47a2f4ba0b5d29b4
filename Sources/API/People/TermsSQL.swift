import Domain
import Storage

/// Who accepted a site's terms, and when (contract: public 4.1, 21.2 `tos`).
enum TermsSQL {
    /// Whether the caller must accept the terms of the page before writing. Without sign-on that is so every time.
    static func areNeeded(by caller: Caller, in session: inout Session) throws(APIError) -> Bool {
        guard let terms = caller.settings.terms else { return false }
        guard let person = caller.person else { return true }
        let acceptedAt = try session.first(
            "SELECT accepted_at FROM terms_acceptance WHERE tenant_id = ?1 AND person_id = ?2",
            .text(caller.tenant.id), .text(person.id)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        guard let acceptedAt else { return true }
        // Terms of tomorrow are asked about tomorrow.
        return acceptedAt < terms.updatedAt && terms.updatedAt <= session.now
    }

    /// Notes that somebody accepts the terms, where they are needed.
    /// - Throws: `tos-required` (422) when they are, and are not accepted.
    static func accept(_ accepts: Bool, _ caller: Caller, in session: inout Session) throws(APIError) {
        guard try areNeeded(by: caller, in: &session) else { return }
        guard accepts else {
            throw APIError(
                422, "tos-required", "The terms of this site must be accepted: send tos as true.",
                phrase: .termsRequired)
        }
        guard let person = caller.person else { return }
        try session.run(
            """
            INSERT INTO terms_acceptance (tenant_id, person_id, accepted_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (tenant_id, person_id) DO UPDATE SET accepted_at = excluded.accepted_at
            """,
            .text(caller.tenant.id), .text(person.id), .integer(session.now))
    }
}

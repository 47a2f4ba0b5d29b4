import Domain
import Storage

/// By what somebody is recognised, whether they sign on or not.
struct Identities: Sendable {
    /// Wire id of a person or guest.
    var key: String?
    /// As written.
    var email: String?
    /// Of the client, as ``AddressHash`` makes it.
    var addressHash: String?

    var emailKey: String? { email.map(EmailAddress.key) }

    /// In lower case.
    var emailDomain: String? {
        let domain = email.map(EmailAddress.domain) ?? ""
        return domain.isEmpty ? nil : domain
    }

    /// The author of a comment, as it was when they wrote it.
    init(of comment: CommentRecord, in session: inout Session) throws(APIError) {
        key = comment.authorKey
        email = comment.email
        addressHash =
            try session.first("SELECT address_hash FROM comment WHERE seq = ?1", .integer(comment.seq)) {
                (row) throws(APIError) -> String? in row.textOrNil(0)
            } ?? nil
    }

    init(key: String? = nil, email: String? = nil, addressHash: String? = nil) {
        self.key = key
        self.email = email
        self.addressHash = addressHash
    }
}

/// Those identities that a ban, or the removal of somebody's comments, goes by.
struct IdentityChoice: Sendable, Equatable {
    var key: String?
    /// As ``EmailAddress/key(_:)`` makes it.
    var emailKey: String?
    var emailDomain: String?
    var addressHash: String?

    var isEmpty: Bool { key == nil && emailKey == nil && emailDomain == nil && addressHash == nil }

    init(key: String?, emailKey: String?, emailDomain: String?, addressHash: String?) {
        self.key = key
        self.emailKey = emailKey
        self.emailDomain = emailDomain
        self.addressHash = addressHash
    }

    /// - Parameters:
    ///   - byEmail: the account and its address.
    ///   - byDomain: everybody with an address of that host, which says more than the address.
    init(_ identities: Identities, byEmail: Bool, byDomain: Bool, byAddress: Bool) {
        let domain = byDomain ? identities.emailDomain : nil
        key = byEmail ? identities.key : nil
        emailKey = byEmail && domain == nil ? identities.emailKey : nil
        emailDomain = domain
        addressHash = byAddress ? identities.addressHash : nil
    }
}

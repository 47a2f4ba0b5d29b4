import Domain
import JSON
import Storage

/// Identities of several people, each list without repeats and in the order found.
struct IdentityLists: Sendable {
    private(set) var keys: [String] = []
    private(set) var emailKeys: [String] = []
    private(set) var emailDomains: [String] = []
    private(set) var addressHashes: [String] = []
    private var seen: Set<String> = []

    /// Adds what is chosen of somebody. Unlike a ban, a summary names both an address and its host.
    mutating func add(_ identities: Identities, _ flags: BanSummaryFlags) {
        if flags.byEmail {
            add(identities.key, to: \.keys, "key")
            add(identities.emailKey, to: \.emailKeys, "email")
        }
        if flags.byDomain { add(identities.emailDomain, to: \.emailDomains, "domain") }
        if flags.byAddress { add(identities.addressHash, to: \.addressHashes, "address") }
    }

    private mutating func add(_ value: String?, to list: WritableKeyPath<IdentityLists, [String]>, _ kind: String) {
        guard let value, seen.insert("\(kind) \(value)").inserted else { return }
        self[keyPath: list].append(value)
    }
}

/// By what a summary looks for somebody's comments; what is not said is not meant.
struct BanSummaryFlags: Sendable {
    let byEmail: Bool
    let byAddress: Bool
    let byDomain: Bool

    init(_ call: Call) throws(APIError) {
        byEmail = try call.flag("includeByUserIdAndEmail") ?? false
        byAddress = try call.flag("includeByIP") ?? false
        byDomain = try call.flag("includeByEmailDomain") ?? false
    }
}

/// What a ban with removal would take along (contract: admin 6.6).
extension BanRoutes {
    /// Comments of one call at most.
    static let summaryLimit = 1000
    /// Names of one answer at most.
    private static let nameLimit = 1000

    static func preBanSummary(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let flags = try BanSummaryFlags(visit.call)
        let comment = try visit.comment(in: &session)
        var lists = IdentityLists()
        lists.add(try Identities(of: comment, in: &session), flags)
        let (tenant, groups) = (visit.tenant.id, visit.moderator.groups)
        let names = try AuthoredSQL.names(lists, groups: groups, limit: nameLimit, tenant: tenant, in: &session)
        let count = try AuthoredSQL.count(lists, groups: groups, tenant: tenant, in: &session)
        return .json(
            Answer { json in
                json.member("usernames", names)
                json.member("count", count)
            })
    }

    static func bulkPreBanSummary(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let flags = try BanSummaryFlags(visit.call)
        guard let ids = try visit.call.bodyObject().texts("commentIds") else {
            throw .invalidInput("commentIds is missing.")
        }
        guard ids.count <= summaryLimit else {
            throw .invalidInput("At most \(summaryLimit) commentIds are allowed.")
        }
        var lists = IdentityLists()
        for id in ids {
            guard let comment = try CommentSQL.find(id, tenant: visit.tenant.id, in: &session),
                visit.moderator.maySee(comment)
            else { continue }
            lists.add(try Identities(of: comment, in: &session), flags)
        }
        let count = try AuthoredSQL.count(
            lists, groups: visit.moderator.groups, tenant: visit.tenant.id, in: &session)
        let found = lists
        return .json(
            Answer { json in
                json.member("totalRelatedCommentCount", count)
                json.member("emailDomains", found.emailDomains.map { "@" + $0 })
                json.member("emails", found.emailKeys)
                json.member("userIds", found.keys)
                json.member("ipHashes", found.addressHashes)
            })
    }
}

/// What a user of a tenant may do (contract: admin 7). Kept as these bits.
package struct AccountRoles: OptionSet, Sendable {
    package let rawValue: Int64

    /// Bits as they are kept.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Everything.
    package static let owner = AccountRoles(rawValue: 1)
    /// Users, administrators and moderators.
    package static let administrator = AccountRoles(rawValue: 2)
    /// Comments and the settings of moderation.
    package static let moderation = AccountRoles(rawValue: 4)
    /// Keys and sign-on.
    package static let keys = AccountRoles(rawValue: 8)
    /// Imports, exports, webhooks, the audit log.
    package static let data = AccountRoles(rawValue: 16)
    /// Looks, badges, templates.
    package static let looks = AccountRoles(rawValue: 32)
    /// Figures.
    package static let figures = AccountRoles(rawValue: 64)
    /// Billing.
    package static let billing = AccountRoles(rawValue: 128)
    /// Help requests.
    package static let help = AccountRoles(rawValue: 256)

    /// Whether comments may be decided about.
    package var mayModerate: Bool { !isDisjoint(with: [.owner, .administrator, .moderation]) }

    /// Whether everything about comments may be done, exports included.
    package var isAdministrator: Bool { !isDisjoint(with: [.owner, .administrator]) }
}

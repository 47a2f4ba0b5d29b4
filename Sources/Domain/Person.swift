/// Somebody known by single sign-on.
package struct Person: Sendable {
    /// Wire id, `<tenant>:<id>`.
    package let id: String
    /// Known by unsigned data only.
    package var isSimple: Bool
    /// Login name, shown unless there is a display name.
    package var username: String
    /// As sent; matched in lower case.
    package var email: String?
    /// Shown instead of the username.
    package var displayName: String?
    /// A small caption beside the name.
    package var displayLabel: String?
    /// http(s) address or data URI.
    package var avatar: String?
    /// http(s) address.
    package var websiteURL: String?
    /// nil is unrestricted, empty sees nothing that is restricted.
    package var groupIDs: [String]?
    /// By the signed flag.
    package var isAdmin = false
    /// By the signed flag.
    package var isModerator = false
    /// Hidden from lists of people; nil was never said.
    package var isActivityPrivate: Bool?
    /// nil was never said.
    package var isCommentsPrivate: Bool?
    /// nil was never said.
    package var isDirectMessagesDisabled: Bool?
    /// Wants mail about replies; nil was never said.
    package var optedInNotifications: Bool?
    /// Wants mail about subscribed pages; nil was never said.
    package var optedInSubscriptions: Bool?
    /// Language of mail, `en_us` form.
    package var locale: String?
    /// JSON object, as sent.
    package var badgeConfig: String?

    /// Somebody of whom nothing is known but the id.
    package init(id: String, username: String, isSimple: Bool) {
        self.id = id
        self.username = username
        self.isSimple = isSimple
    }

    /// Whether the person may moderate: both roles may (contract: public 3.2).
    package var isStaff: Bool { isAdmin || isModerator }

    /// The name shown with comments.
    package var shownName: String {
        if let displayName, !displayName.isEmpty { return displayName }
        return username
    }

    /// Whether comments of both would be shown alike, and both in lists of people.
    package func looksLike(_ other: Person) -> Bool {
        shownName == other.shownName && displayLabel == other.displayLabel && avatar == other.avatar
            && websiteURL == other.websiteURL && (isActivityPrivate == true) == (other.isActivityPrivate == true)
    }

    /// Takes over what a sign-on says; members that it leaves out stay.
    package mutating func apply(_ changes: PersonChanges, isSimple: Bool) {
        self.isSimple = isSimple
        if !changes.username.isEmpty { username = changes.username }
        email = changes.email.applied(to: email)
        displayName = changes.displayName.applied(to: displayName)
        displayLabel = changes.displayLabel.applied(to: displayLabel)
        avatar = changes.avatar.applied(to: avatar)
        websiteURL = changes.websiteURL.applied(to: websiteURL)
        groupIDs = changes.groupIDs.applied(to: groupIDs)
        isAdmin = changes.isAdmin.applied(to: isAdmin) ?? false
        isModerator = changes.isModerator.applied(to: isModerator) ?? false
        isActivityPrivate = changes.isActivityPrivate.applied(to: isActivityPrivate)
        isCommentsPrivate = changes.isCommentsPrivate.applied(to: isCommentsPrivate)
        isDirectMessagesDisabled = changes.isDirectMessagesDisabled.applied(to: isDirectMessagesDisabled)
        optedInNotifications = changes.optedInNotifications.applied(to: optedInNotifications)
        optedInSubscriptions = changes.optedInSubscriptions.applied(to: optedInSubscriptions)
        locale = changes.locale.applied(to: locale)
        badgeConfig = changes.badgeConfig.applied(to: badgeConfig)
    }
}

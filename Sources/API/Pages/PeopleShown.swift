import JSON

/// One page of people.
struct PeopleShown: Sendable {
    let faces: [Face]
    /// After whom the next page begins; nil when there is none.
    let last: Roster.Entry?
    /// The roster was made before somebody changed.
    let isOutdated: Bool

    static let nobody = PeopleShown(faces: [], last: nil, isOutdated: false)

    @Sendable func writeMembers(to json: inout JSONWriter) {
        json.member("users", faces)
        if let last {
            last.writeCursor(to: &json)
        } else {
            json.member("nextAfterName", orNull: nil)
            json.member("nextAfterUserId", orNull: nil)
        }
    }
}

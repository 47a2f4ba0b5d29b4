/// People of a page, by name.
struct PeopleList: Sendable {
    let roster: Roster
    /// Guests, strangers, and ids of people who are gone.
    let unnamed: Int
}

import Domain
import JSON

/// What somebody opens a live socket with (contract: live 1.1, 1.3). The same person gets the same token from every
/// read, or clients would dial again.
struct LiveAddress: Sendable {
    let caller: Caller
    /// Canonical page id, or the feed's.
    let room: String
    let tokens: PresenceToken

    /// Three members; none where live updates are switched off on the page.
    /// - Returns: where the token of a stranger stands, which is another one in each answer.
    @discardableResult
    func writeMembers(to json: inout JSONWriter) -> Range<Int>? {
        guard !caller.settings.disablesLive else { return nil }
        let tenant = caller.tenant.id
        json.member("urlIdWS", LiveRoomName.encode(tenant: tenant, page: room))
        json.member("tenantIdWS", tenant)
        if let key = caller.key {
            json.member("userIdWS", tokens.mint(tenant: tenant, identity: key))
            return nil
        }
        let token = tokens.mintForStranger(tenant: tenant)
        json.member("userIdWS", token)
        // It is written as it is, between quotes.
        let end = json.bytes.count - 1
        return end - token.utf8.count..<end
    }
}

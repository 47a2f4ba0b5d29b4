import Domain
import HTTP1
import Live
import Reactor
import Server
import Storage

extension LoopHost {
    /// Open pages hear of their new settings.
    func announceSettings(of tenants: Set<String>) {
        for id in tenants where sockets.hasAny(of: id) {
            do {
                let staff = sockets.staff(of: id)
                let (tenant, former) = try lane.read(budgetMilliseconds: nil) {
                    (session) throws(APIError) -> (Tenant?, Set<String>) in
                    let tenant = try TenantSQL.find(id, in: &session)
                    return (tenant, try formerStaff(staff, tenant, in: &session))
                }
                sockets.dismiss(former, from: id)
                if let tenant { sockets.announceSettings(of: tenant) }
            } catch {
                logger.log(
                    .error, "settings not announced",
                    ["tenant": .string(id), "detail": .string(error.detail ?? error.reason)])
            }
        }
    }

    /// Those of them who moderate no more.
    private func formerStaff(
        _ people: Set<String>, _ tenant: Tenant?, in session: inout Session
    ) throws(APIError) -> Set<String> {
        var former: Set<String> = []
        for person in people {
            guard let tenant else { return people }
            let stays =
                if let key = ModeratorRoom.key(of: person) {
                    try ModeratorRoom.admits(key, tenant, in: &session)
                } else {
                    try Caller.find(person, tenant, in: &session)?.isStaff == true
                }
            if !stays { former.insert(person) }
        }
        return former
    }

    // MARK: Sockets

    func openSocket(_ call: Call) throws(APIError) -> Outcome {
        _ = try plan(call)
        return .upgrade([:])
    }

    private func plan(_ call: Call) throws(APIError) -> LiveSockets.Plan {
        try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> LiveSockets.Plan in
            try LiveSockets.Plan(call, in: &session)
        }
    }

    /// Puts the socket into its room.
    package func socketOpened(_ id: ConnectionID, request: Request) {
        guard case .found(_, let parameters) = match(request.head) else { return }
        do {
            sockets.opened(id, try plan(try Call(request, parameters, services)))
        } catch {
            context.close(id, code: 1011, reason: error.reason)
        }
    }

    /// Clients have nothing to say but a text `ping`, which wants no answer (contract: live 1.5).
    package func socketReceived(_ id: ConnectionID, text: [UInt8]) {}

    /// Binary messages have no meaning here.
    package func socketReceived(_ id: ConnectionID, binary: [UInt8]) {}

    /// Takes the socket out of its room.
    package func socketClosed(_ id: ConnectionID) { sockets.closed(id) }
}

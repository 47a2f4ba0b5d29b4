import Domain
import HTTP1
import JSON
import Storage

/// What hosted services sell and answer: here every site has the one plan without limits, and there is no desk for
/// tickets (contract: admin 5.9, 5.23, 5.24).
enum PlanRoutes {
    static func register(on routes: inout Routes) {
        routes.backend(.get, "tenant-packages", "GetTenantPackages", read: getTenantPackages)
        routes.backend(.get, "tenant-packages/{id}", "GetTenantPackage", read: getTenantPackage)
        routes.backend(.post, "tenant-packages", "CreateTenantPackage", read: refusePlan)
        routes.backend(.put, "tenant-packages/{id}", "ReplaceTenantPackage", read: refusePlan)
        routes.backend(.patch, "tenant-packages/{id}", "UpdateTenantPackage", read: refusePlan)
        routes.backend(.delete, "tenant-packages/{id}", "DeleteTenantPackage", read: refusePlan)
        routes.backend(.get, "tickets", "GetTickets", read: getTickets)
        routes.backend(.post, "tickets", "CreateTicket", read: refuseTicket)
        routes.backend(.get, "tickets/{id}", "GetTicket", read: getTicket)
        routes.backend(.patch, "tickets/{id}/state", "ChangeTicketState", read: refuseTicket)
    }

    private static func getTenantPackages(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let plans = try [Plan.of(visit.tenant.id, in: &session)].dropFirst(visit.skip())
        return .json(Answer { $0.member("tenantPackages", Array(plans)) })
    }

    private static func getTenantPackage(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard visit.call.parameter("id") == Plan.id else {
            throw APIError(404, "not-found", "There is no package with this id.")
        }
        let plan = try Plan.of(visit.tenant.id, in: &session)
        return .json(Answer { $0.member("tenantPackage", plan) })
    }

    private static func refusePlan(_: BackendVisit, _: inout Session) throws(APIError) -> Reply {
        throw APIError(403, "white-labeling-not-allowed", "This server has one package, which cannot be changed.")
    }

    private static func getTickets(_ visit: BackendVisit, _: inout Session) throws(APIError) -> Reply {
        _ = try visit.skip()
        _ = try visit.limit(usual: 100, maximum: 1000)
        _ = try visit.call.integer("state", status: 422)
        return .json(Answer { $0.member("tickets", [String]()) })
    }

    private static func getTicket(_: BackendVisit, _: inout Session) throws(APIError) -> Reply {
        throw APIError(404, "not-found", "There is no ticket with this id.")
    }

    private static func refuseTicket(_: BackendVisit, _: inout Session) throws(APIError) -> Reply {
        throw APIError(403, "unauthorized", "Tickets are disabled on this server.")
    }
}

/// What a site may do: everything. Closed key set.
private struct Plan: JSONWritable, Sendable {
    /// The one that tenants name.
    static let id = BackendTenant.packageID
    private static let unlimited = 1_000_000_000

    private let tenant: String
    private let createdAt: Int64

    /// As old as the tenant.
    static func of(_ tenant: String, in session: inout Session) throws(APIError) -> Plan {
        let createdAt = try session.first("SELECT created_at FROM tenant WHERE id = ?1", .text(tenant)) { $0.int64(0) }
        return Plan(tenant: tenant, createdAt: createdAt ?? session.now)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", Self.id)
            json.member("name", "Unlimited")
            json.member("tenantId", tenant)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            for name in ["monthlyCostUSD", "yearlyCostUSD", "monthlyStripePlanId", "yearlyStripePlanId"] {
                json.key(name)
                json.null()
            }
            for name in Self.limits {
                json.key(name)
                json.int(Self.unlimited)
            }
            json.member("hasWhiteLabeling", false)
            json.member("hasDebranding", true)
            json.member("hasLLMSpamDetection", false)
            json.member("forWhoText", "")
            json.member("featureTaglines", [String]())
            json.member("hasAuditing", true)
            json.member("hasFlexPricing", false)
        }
    }

    private static let limits = [
        "maxMonthlyPageLoads", "maxMonthlyAPICredits", "maxMonthlySmallWidgetsCredits", "maxMonthlyComments",
        "maxConcurrentUsers", "maxTenantUsers", "maxSSOUsers", "maxModerators", "maxDomains",
        "maxWhiteLabeledTenants", "maxMonthlyEventLogRequests", "maxCustomCollectionSize",
    ]
}

import JSON
import TestSupport
import Testing

/// Values and paths that look right at a glance and stop a strict client.
@Suite struct ContractValueTests {
    private let contract: Contract

    init() throws { contract = try Contract.load() }

    @Test(arguments: [
        "2024-13-01T00:00:00.000Z", "2024-00-01T00:00:00.000Z", "2024-04-31T00:00:00.000Z", "2024-01-00T00:00:00.000Z",
        "2023-02-29T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2024-01-01T24:00:00.000Z", "2024-01-01T00:60:00.000Z",
        "2024-01-01T00:00:60.000Z",
    ])
    func aMomentOutsideTheCalendarIsRefused(text: String) {
        #expect(contract.violations(.string(text), .dateTime).count == 1)
    }

    @Test(arguments: [
        "2024-02-29T23:59:59.999Z", "2000-02-29T00:00:00.000Z", "2023-02-28T00:00:00.000Z", "2024-04-30T00:00:00.000Z",
        "2024-12-31T00:00:00.000Z", "2024-01-01T00:00:00.000Z",
    ])
    func theEdgesOfTheCalendarPass(text: String) {
        #expect(contract.violations(.string(text), .dateTime) == [])
    }

    @Test func aWholeNumberHasNoPoint() {
        #expect(contract.violations(.double(1.5), .number) == [])
        #expect(contract.violations(.integer(3), .number) == [])
        #expect(contract.violations(.double(3), .number).count == 1)
    }

    @Test(arguments: [
        "/healthz-2", "/healthz/x", "/subscribers", "/sub/x", "/auth/my-account/moderate-comments/elsewhere",
        "/auth/my-account/moderate-comments/mod_api/elsewhere",
    ])
    func aPathThatOnlyBeginsLikeOneOfOursIsHeldAgainstTheContract(path: String) {
        let body = Array(#"{"status": "success"}"#.utf8)
        #expect(contract.violations("GET", path, status: 200, isJSON: true, body: body).count == 1)
    }

    @Test(arguments: ["/", "/healthz", "/sub", "/auth/tenant-signup", "/test-e2e/api/tenant/by-email/a"])
    func aPathOfOursIsNotHeldAgainstTheContract(path: String) {
        #expect(contract.violations("GET", path, status: 200, isJSON: false, body: []) == [])
    }
}

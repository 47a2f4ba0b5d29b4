import JSON
import TestSupport
import Testing

/// The check that all other tests rely on: it must be able to fail.
@Suite struct ContractCheckTests {
    private let contract: Contract

    init() throws { contract = try Contract.load() }

    private static let comment: JSONValue = [
        "_id": "comment-1", "commenterName": "Reader", "commentHTML": "Hello", "verified": true,
        "date": "2024-02-29T12:00:00.000Z", "votes": 0, "isPinned": nil,
    ]

    private func violations(_ body: JSONValue, _ request: String = "GET /comments/demo", status: Int = 200) -> [String]
    {
        let words = request.split(separator: " ").map(String.init)
        return contract.violations(words[0], words[1], status: status, isJSON: true, body: body.jsonBytes())
    }

    private func page(_ comment: JSONValue = comment) -> JSONValue {
        [
            "status": "success", "user": nil, "pageNumber": 0, "comments": .array([comment]),
            "lastGenDate": 1_700_000_000_000,
        ]
    }

    @Test func theContractHas209Operations() {
        #expect(contract.operations.count == 209)
        #expect(Set(contract.operations.map(\.id)).count == 209)
        #expect(contract.operations.filter { $0.answers["200"] == nil }.isEmpty)
    }

    @Test func everySchemaThatIsNamedExists() {
        var named: Set<String> = []
        for type in contract.schemas.values + contract.operations.flatMap(\.answers.values) {
            type.collectSchemas(into: &named)
        }
        #expect(!named.isEmpty)
        #expect(named.subtracting(contract.schemas.keys).sorted() == [])
    }

    @Test func aGoodPageHasNoViolations() {
        #expect(violations(page()) == [])
    }

    @Test func anUnknownKeyIsNamed() {
        #expect(violations(page().with(["extra": 1])) == ["$.extra: the contract has no such key"])
        #expect(
            violations(page(Self.comment.with(["extra": 1]))) == ["$.comments[0].extra: the contract has no such key"])
    }

    @Test func aMissingKeyIsNamed() {
        #expect(violations(page().without("pageNumber")) == ["$.pageNumber: is missing"])
        #expect(violations(page(Self.comment.without("date"))) == ["$.comments[0].date: is missing"])
    }

    private static let wrongMembers: [(String, JSONValue)] = [
        ("votes", "1"), ("votes", 1.5), ("votes", true), ("votes", 2_147_483_648), ("verified", 1), ("verified", nil),
        ("commentHTML", 5), ("badges", [:]), ("children", [1]), ("date", "2024-02-29T12:00:00Z"),
        ("date", "2024-02-29 12:00:00.000Z"), ("date", 1_700_000_000_000),
    ]

    @Test(arguments: wrongMembers)
    func aWrongTypeIsRefused(key: String, value: JSONValue) {
        #expect(violations(page(Self.comment.with([key: value]))).count == 1)
    }

    @Test func theLargest32BitNumberPasses() {
        #expect(violations(page(Self.comment.with(["votes": 2_147_483_647]))) == [])
    }

    @Test func aWordOutsideTheListIsRefused() {
        let answer: JSONValue = ["status": "maybe", "voteId": "vote-1"]
        #expect(violations(answer, "POST /comments/demo/c1/vote").count == 1)
        #expect(violations(answer.with(["status": "success"]), "POST /comments/demo/c1/vote") == [])
    }

    @Test func aKeyThatStandsThereTwiceIsRefused() {
        let body = Array(#"{"status": "success", "status": "success"}"#.utf8)
        let found = contract.violations("POST", "/flag-comment/c1", status: 200, isJSON: true, body: body)
        #expect(found == ["$.status: stands there twice"])
    }

    @Test func oneOfSeveralShapesIsEnough() {
        let request = "POST /api/v1/comments/bulk"
        let failure: JSONValue = ["status": "failed", "reason": "No.", "code": "invalid-input"]
        #expect(violations([failure], request) == [])
        #expect(violations([failure.with(["code": 5])], request) == ["$[0].code: 5 is no string"])
    }

    @Test func aRefusalHasTheClosedErrorBody() {
        let good: JSONValue = ["status": "failed", "reason": "No such comment.", "code": "not-found"]
        #expect(violations(good, status: 404) == [])
        #expect(violations(good.with(["detail": "x"]), status: 404).count == 1)
        #expect(violations(good.with(["code": "NotFound"]), status: 404).count == 1)
        #expect(violations(good.with(["code": "not--found"]), status: 404).count == 1)
        #expect(violations(good.with(["status": "success"]), status: 404).count == 1)
        #expect(violations(good.without("reason"), status: 404).count == 1)
    }

    @Test func aFailureIsNoSuccess() {
        let failure: JSONValue = ["status": "failed"]
        #expect(violations(failure, "POST /flag-comment/c1").count == 1)
    }

    @Test func routesOutsideTheContractAreOnlyThoseKnown() {
        #expect(violations("text", "GET /healthz") == [])
        #expect(violations("text", "POST /auth/tenant-signup") == [])
        #expect(violations(["status": "success"], "GET /elsewhere").count == 1)
        #expect(
            violations(["status": "failed", "reason": "No.", "code": "not-found"], "GET /elsewhere", status: 404) == [])
    }

    @Test func pathsMeetTheirOperations() throws {
        #expect(contract.operation("GET", "/comments/demo")?.id == "GetCommentsPublic")
        #expect(contract.operation("GET", "/comments/demo/")?.id == "GetCommentsPublic")
        #expect(contract.operation("GET", "/api/v1/comments/c1")?.id == "GetComment")
        #expect(contract.operation("POST", "/api/v1/comments/bulk")?.path == "/api/v1/comments/bulk")
        #expect(contract.operation("PATCH", "/comments/demo") == nil)
        let long = try #require(contract.operation("GET", "/auth/my-account/moderate-comments/mod_api/api/comments"))
        #expect(contract.operation("GET", "/auth/my-account/moderate-comments/api/comments")?.id == long.id)
    }

    @Test func bytesThatAreNoJSONAreRefused() {
        #expect(contract.violations("GET", "/comments/demo", status: 200, isJSON: true, body: [0x7B]).count == 1)
        #expect(
            contract.violations("GET", "/comments/demo", status: 200, isJSON: false, body: [0x7B, 0x7D]).count == 1)
    }
}

extension JSONValue {
    /// A copy of an object with members changed or added.
    fileprivate func with(_ changes: [String: JSONValue]) -> JSONValue {
        var copy = JSONObject()
        for (name, value) in object?.members ?? [] where changes[name] == nil { copy.append(name, value) }
        for (name, value) in changes { copy.append(name, value) }
        return .object(copy)
    }

    /// A copy of an object without a member.
    fileprivate func without(_ name: String) -> JSONValue {
        var copy = JSONObject()
        for (other, value) in object?.members ?? [] where other != name { copy.append(other, value) }
        return .object(copy)
    }
}

extension ContractType {
    fileprivate func collectSchemas(into names: inout Set<String>) {
        switch self {
        case .schema(let name): names.insert(name)
        case .nullable(let type), .array(let type), .map(let type): type.collectSchemas(into: &names)
        case .either(let types): for type in types { type.collectSchemas(into: &names) }
        case .object(let object):
            for type in object.keys.values { type.collectSchemas(into: &names) }
            object.others?.collectSchemas(into: &names)
        default: break
        }
    }
}

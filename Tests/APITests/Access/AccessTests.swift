import API
import Foundation
import HTTP1
import Server
import TestSupport
import Testing

/// Every route as everybody.
@Suite struct AccessTests {
    private static let shards = 3

    @Test func everyRouteHasARow() throws {
        let rows = try AccessTable().rows
        let known = Set(
            rows.flatMap { row in
                AccessTable.spellings(row.request.target).map { target in
                    AccessTable.shape("\(row.request.method) \(target.prefix { $0 != "?" })")
                }
            })
        let routes = API.routes(hasSuiteKeys: true).routes
            .map { AccessTable.shape("\($0.method.rawValue) \($0.pattern)") }
        #expect(Set(routes).subtracting(known).sorted() == [])
        #expect(known.subtracting(routes).sorted() == [])
    }

    @Test(arguments: 0..<shards) func everybodyGetsWhatTheyMayAndNothingElse(_ shard: Int) throws {
        let table = try AccessTable()
        let rows = table.rows.enumerated().filter { $0.offset % Self.shards == shard }.map(\.element)
        let site = try AccessSite(table)
        for row in rows { try site.prepare(row.request) }
        try site.settle()
        var seen: [String: [String: String]] = [:]
        for row in rows {
            for (role, word) in row.words.sorted(by: { $0.key < $1.key }) where word != "ok" {
                try Self.compare(role, word, row, table, site, &seen)
                let changes = try site.changes()
                #expect(changes == [], "\(row) as \(role) changed")
            }
        }
        for row in rows {
            for (role, word) in row.words.sorted(by: { $0.key < $1.key }) where word == "ok" {
                try Self.compare(role, word, row, table, site, &seen)
            }
        }
        for row in rows {
            guard let found = seen[row.request.route] else { continue }
            let list = found.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n  ")
            Issue.record("\(row)\n  \(list)")
        }
    }

    private static func compare(
        _ role: String, _ word: String, _ row: AccessTable.Row, _ table: AccessTable, _ site: AccessSite,
        _ seen: inout [String: [String: String]]
    ) throws {
        for target in AccessTable.spellings(row.request.target) {
            let caller = try #require(site.roles[role])
            var answer = try site.ask(row.request, spelled: target, as: caller)
            // Few files are made for a tenant at the same time.
            if answer.code == "rate-limited" {
                try until {
                    answer = try site.ask(row.request, spelled: target, as: caller)
                    return answer.status != 429
                }
            }
            let isTaken = (200..<400).contains(answer.status)
            let found = isTaken ? "ok" : "\(answer.status)/\(answer.code ?? "")"
            let start = answer.text.prefix(150)
            if found != table.legend[word] ?? word {
                seen[row.request.route, default: [:]][role] = "\(word) expected, \(found) came: \(start)"
            } else if isTaken, role.hasSuffix("own"), answer.text.contains(site.tenant.id) {
                seen[row.request.route, default: [:]][role] = "tells of another tenant: \(start)"
            }
            if row.request.method == "GET", !row.request.route.hasPrefix("GET /auth/") {
                #expect(answer.header("set-cookie") == nil, "\(row) as \(role)")
            }
            if !role.hasPrefix("cookie") { #expect(!answer.text.contains(site.tenant.apiKey), "\(row) as \(role)") }
            if isTaken, row.request.method != "GET" { site.forget(row.request) }
        }
    }
}

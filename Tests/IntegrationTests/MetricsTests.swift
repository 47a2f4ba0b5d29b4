import JSON
import TestSupport
import Testing

/// `GET /metrics`, the numbers for operators.
@Suite struct MetricsTests {
    private static let token = "0123456789abcdef"

    private func read(_ server: ParleyProcess, token: String? = Self.token) throws -> Answer {
        let headers = token.map { [("authorization", "Bearer \($0)")] } ?? []
        let client = try server.client()
        client.checksContract = false
        return try client.request("GET", "/metrics", headers: headers)
    }

    /// The values by name with labels.
    private func values(_ text: String) throws -> [String: Double] {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let cut = try #require(line.lastIndex(of: " "))
            let value = try #require(Double(line[line.index(after: cut)...]), "\(line)")
            #expect(values.updateValue(value, forKey: String(line[..<cut])) == nil, "\(line) is there twice")
        }
        return values
    }

    @Test func nobodyReadsThemUnlessTheServerHasATokenForThem() throws {
        let server = try ParleyProcess()
        let answer = try read(server)
        #expect(answer.status == 404)
        #expect(answer.json?["reason"]?.string?.contains("PARLEY_METRICS_TOKEN") == true)
    }

    @Test func nobodyReadsThemWithoutTheToken() throws {
        let server = try ParleyProcess(environment: ["PARLEY_METRICS_TOKEN": Self.token])
        for token in [nil, "", "0123456789abcde", "0123456789abcdef0"] {
            let answer = try read(server, token: token)
            #expect(answer.status == 401)
            #expect(answer.json?["code"]?.string == "unauthorized")
        }
    }

    @Test func aTokenHasAtLeastSixteenCharacters() {
        #expect(throws: StartFault.self) {
            try ParleyProcess(environment: ["PARLEY_METRICS_TOKEN": "0123456789abcde"])
        }
    }

    @Test func theyCountWhatWasAnsweredAndWhatIsThere() throws {
        let server = try ParleyProcess(environment: ["PARLEY_METRICS_TOKEN": Self.token])
        let tenant = try server.makeTenant()
        let reader = try server.reader(.ann, of: tenant, at: "page")
        let held = try reader.posted("one")
        _ = try reader.posted("two")
        try server.reader(.admin, of: tenant, at: "page").decide(
            "set-comment-approval-status/\(held)", ["approved": "false"])
        let socket = try reader.listen()
        defer { _ = try? socket.close() }
        #expect(try server.client().request("GET", "/nowhere").status == 404)

        let answer = try read(server)
        #expect(answer.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        let values = try values(answer.text)
        #expect(values[#"parley_requests_total{operation="createCommentPublic",status="200"}"#] == 2)
        #expect(values[#"parley_request_seconds_count{operation="createCommentPublic"}"#] == 2)
        #expect(values[#"parley_request_seconds_bucket{operation="createCommentPublic",le="+Inf"}"#] == 2)
        #expect(values[#"parley_requests_total{operation="none",status="404"}"#] == 1)
        #expect(values[#"parley_requests_total{operation="subscribe",status="101"}"#] == 1)
        #expect(values["parley_comments_held"] == 1)
        #expect(values["parley_comments_spam"] == 0)
        #expect(values["parley_sockets"] == 1)
        #expect(values["parley_rooms"] == 1)
        #expect(try #require(values["parley_connections"]) >= 2)
        #expect(try #require(values["parley_commit_units_sum"]) >= 3)
        #expect(try #require(values["parley_wal_bytes"]) > 0)
        #expect(try #require(values["process_resident_memory_bytes"]) > 1_000_000)
        #expect(!answer.text.contains(tenant.apiKey))
    }
}

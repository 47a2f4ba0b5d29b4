import Images
import JSON
import TestSupport
import Testing

/// Who may upload, how much, and what becomes of it when the server ends (contract: public 16, 22.3).
@Suite(.serialized) struct UploadRightsTests {
    @Test func everybodyMayUploadAndIsRemembered() throws {
        let site = try UploadSite.rights()
        _ = try site.uploaded("picture.png")
        // Nobody has seen this person before.
        _ = try site.uploaded("picture.png", ["sso": site.site.token(.author), "urlId": "page"])
        let rows = try site.site.rows().filter { $0.hasPrefix("upload|") }
        #expect(rows.count == 2 && rows.count { $0.contains("|\(site.site.tenant.id):author|page|") } == 1)
    }

    @Test func aTenantMayForbidImages() throws {
        let site = try UploadSite.rights(["noImageUploads": true])
        let image = try TestImage.file("picture.png")
        for person in [nil, .author, .admin] as [Person?] {
            // A person is known from the first sign-on, also when the rest is refused.
            let sso = person.map { site.site.token($0) }
            _ = try site.site.reader(person).comments()
            try site.refuses(403, "not-allowed") { try site.upload(image, ["sso": sso]) }
        }
    }

    @Test func aTenantMayRequireSignOn() throws {
        let site = try UploadSite.rights(["requireSSO": true])
        try site.refuses(401, "login-required") { try site.upload(TestImage.file("picture.png")) }
        _ = try site.uploaded("picture.png", ["sso": site.site.token(.author)])
        _ = try site.uploaded("picture.png", ["sso": site.site.token(.admin)])
    }

    @Test func aTenantMayBeReadOnly() throws {
        let site = try UploadSite.rights(["readonly": true])
        try site.refuses(401, "locked") { try site.upload(TestImage.file("picture.png")) }
    }

    @Test func anAddressUploadsTwentyTimesAMinute() throws {
        let site = try UploadSite(isExempt: false, on: .proxied())
        let image = try TestImage.file("picture.png")
        let from = { (address: String) in [("x-forwarded-for", address)] }
        for _ in 1...20 {
            let answer = try site.upload(image, headers: from("198.51.100.77"))
            #expect(answer.isSuccess)
        }
        let refused = try site.upload(image, headers: from("198.51.100.77"))
        #expect(refused.status == 429 && refused.code == "rate-limited")
        #expect((1...60).contains(Int(refused.header("retry-after") ?? "") ?? 0))
        _ = try site.uploaded("picture.png", headers: from("198.51.100.78"))
        // Somebody who signs on is counted by name.
        _ = try site.uploaded("picture.png", ["sso": site.site.token(.author)], headers: from("198.51.100.77"))
    }

    @Test func anAddressHasEightUploadsAtOnce() throws {
        let site = try UploadSite(on: .proxied())
        let port = try site.site.client().port
        let begin = { () throws -> RawConnection in
            let connection = try RawConnection(port: port)
            try connection.send(
                "POST /upload-image/\(site.site.tenant.id) HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.99\r\n"
                    + "content-type: \(Form.contentType)\r\ncontent-length: 1000000\r\nexpect: 100-continue\r\n\r\n")
            return connection
        }
        var open: [RawConnection] = []
        for _ in 1...8 {
            let connection = try begin()
            #expect(try connection.readAnswer().status == 100)
            open.append(connection)
        }
        let refused = try begin().readAnswer()
        #expect(refused.status == 503 && refused.code == "unavailable" && refused.header("retry-after") != nil)
        for connection in open { connection.close() }
        // The server notices in its own time.
        let deadline = Deadline.usual
        var status = 503
        while status == 503, deadline.milliseconds > 0 { status = try begin().readAnswer().status }
        #expect(status == 100)
    }

    @Test func addressesFollowWhatTrustedProxiesSay() throws {
        let site = try UploadSite(on: .proxied())
        let headers = [("x-forwarded-proto", "https"), ("x-forwarded-host", "comments.example.com")]
        let answer = try site.uploaded("picture.png", headers: headers)
        #expect(answer["url"]?.string?.hasPrefix("https://comments.example.com/uploads/") == true)
        let odd = try site.uploaded(
            "picture.png", headers: [("x-forwarded-proto", "javascript"), ("x-forwarded-host", "a/b?c")])
        #expect(odd["url"]?.string?.hasPrefix("http://127.0.0.1:\(site.server.process.port)/uploads/") == true)

        let direct = try UploadSite.rights()
        let plain = try direct.uploaded("picture.png", headers: headers)
        #expect(plain["url"]?.string?.hasPrefix("http://127.0.0.1:\(direct.server.process.port)/uploads/") == true)
    }

    @Test func addressesFollowTheConfiguration() throws {
        // The port has to be known before the server starts.
        let first = try ParleyProcess()
        let port = first.port
        try first.terminate()
        let process = try ParleyProcess(
            environment: ["PARLEY_PORT": "\(port)", "PARLEY_PUBLIC_URL": "https://c.example.com:\(port)/"],
            arguments: ["--port", "\(port)"])
        let answer = try process.client().upload(
            Form(TestImage.file("picture.png")), to: try #require(process.tenants.first).id)
        #expect(answer["url"]?.string?.hasPrefix("https://c.example.com:\(port)/uploads/") == true)
        #expect(try process.terminate() == .status(0))
    }

    @Test func filesOutliveACrashAndLeftoversDoNot() throws {
        let server = try SeededServer.own()
        let site = try UploadSite(on: server)
        let answer = try site.uploaded("picture.png")
        let name = try #require(answer["url"]?.string?.split(separator: "/").last.map(String.init))
        let kept = try site.files()
        for leftover in ["x.png", "\(name).draft"] {
            try TestImage.write([1, 2, 3], to: server.folder + "/uploads/" + leftover)
        }
        #expect(try site.files().count == kept.count + 2)
        try server.process.kill()
        let next = try ParleyProcess(.data(server.folder))
        #expect(try site.files() == kept && kept == site.names())
        let file = try next.client().send("GET", "/uploads/\(name)", headers: [], body: nil)
        #expect(try file.status == 200 && APITests.probe(file.body).width == 40)
        try next.terminate()
    }
}

extension UploadSite {
    fileprivate static func rights(_ settings: JSONValue = [:]) throws -> UploadSite {
        try UploadSite(settings, on: .uploads("rights"))
    }
}

import Crypto
import Testing

@Suite struct TLSTests {
    let files: CertificateFiles

    init() throws {
        files = try CertificateFiles(hosts: ["localhost", "*.example.com", "::1"])
    }

    func pair(serverName: String? = "localhost") throws -> TLSPair {
        try TLSPair(server: files.serverContext(), client: files.clientContext(), serverName: serverName)
    }

    @Test func bothSidesAgreeOnTheNewestVersionAndOnHTTP1() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.server.protocolVersion == "TLSv1.3")
        #expect(pair.server.applicationProtocol == "http/1.1")
        #expect(pair.client.applicationProtocol == "http/1.1")
    }

    @Test(arguments: ["localhost", "a.example.com", "127.0.0.1", "::1"])
    func theCertificateIsGoodForEveryHostItWasMadeFor(_ name: String) throws {
        #expect(try pair(serverName: name).shakeHands() == (.done, .done))
    }

    @Test(arguments: ["example.com", "a.b.example.com", "localhos", "127.0.0.2"])
    func aClientRefusesOtherHosts(_ name: String) throws {
        let pair = try pair(serverName: name)
        #expect(pair.shakeHands().client == .failed("certificate verify failed"))
        guard case .failed = pair.server.handshake() else {
            Issue.record("the server was not told")
            return
        }
    }

    @Test func aClientRefusesStrangers() throws {
        let others = try CertificateFiles()
        let pair = try TLSPair(server: files.serverContext(), client: others.clientContext())
        #expect(pair.shakeHands().client == .failed("certificate verify failed"))
    }

    @Test func bytesArriveInBothDirections() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.client.send([1, 2, 3]) == .bytes(3))
        #expect(pair.server.receive() == ([1, 2, 3], .wantRead))
        #expect(pair.server.send([4, 5]) == .bytes(2))
        #expect(pair.client.receive() == ([4, 5], .wantRead))
        #expect(pair.client.send([]) == .bytes(0))
    }

    @Test func decryptedBytesWaitInsideForASmallBuffer() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.client.send([UInt8](0..<100)) == .bytes(100))
        var byte: [UInt8] = [9]
        let first = byte.withUnsafeMutableBytes(pair.server.read)
        #expect(first == .bytes(1))
        #expect(byte == [0])
        #expect(pair.server.pendingBytes == 99)
        #expect(pair.server.receive(pieces: 7) == ([UInt8](1..<100), .wantRead))
        #expect(pair.server.pendingBytes == 0)
    }

    @Test func aFullSocketWantsWritabilityAndTheBytesMayMoveMeanwhile() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        let all = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var sent = 0
        var blocked = false
        var received: [UInt8] = []
        while sent < all.count {
            // A fresh array each time, as an output queue would have it.
            switch pair.server.send([UInt8](all[sent...])) {
            case .bytes(let count): sent += count
            case .wantWrite:
                blocked = true
                received += pair.client.receive().bytes
            case let other:
                Issue.record("\(other)")
                return
            }
        }
        received += pair.client.receive().bytes
        #expect(blocked)
        #expect(received == all)
    }

    @Test func goodbyeIsSeenAfterTheLastByte() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.client.send([7]) == .bytes(1))
        pair.client.shutdown()
        #expect(pair.server.receive() == ([7], .closed))
        #expect(pair.server.send([8]) == .bytes(1), "half-closed peers can still be answered")
    }

    @Test func hangingUpWithoutAWordIsAnEndToo() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        pair.hangUpClient()
        #expect(pair.server.receive() == ([], .closed))
        pair.server.shutdown()
    }

    @Test func hangingUpDuringTheHandshakeIsAnEnd() throws {
        let pair = try pair()
        #expect(pair.server.handshake() == .wantRead)
        pair.hangUpClient()
        #expect(pair.server.handshake() == .closed)
    }

    @Test func plainHTTPFailsTheHandshake() throws {
        let pair = try pair()
        pair.sendPlainly("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(pair.server.handshake() == .failed("http request"))
        pair.server.shutdown()
    }

    @Test func garbageAfterTheHandshakeFailsTheSession() throws {
        let pair = try pair()
        #expect(pair.shakeHands() == (.done, .done))
        pair.sendPlainly("this is not a TLS record at all")
        guard case .failed = pair.server.receive().end else {
            Issue.record("garbage was accepted")
            return
        }
        guard case .failed = pair.server.send([1]) else {
            Issue.record("a broken session was written to")
            return
        }
    }
}

@Suite struct TLSSetUpTests {
    @Test func aMissingCertificateIsNamed() throws {
        let files = try CertificateFiles()
        let error = #expect(throws: TLSError.self) {
            try TLSContext(certificateChainPath: files.path("none.pem"), privateKeyPath: files.path("key.pem"))
        }
        #expect(error?.reason.contains(files.path("none.pem")) == true)
    }

    @Test func aKeyOfAnotherCertificateIsNamed() throws {
        let files = try CertificateFiles()
        try files.write(CertificateFiles().output.leafKeyPEM, to: "other.pem")
        let error = #expect(throws: TLSError.self) {
            try TLSContext(certificateChainPath: files.path("chain.pem"), privateKeyPath: files.path("other.pem"))
        }
        #expect(error?.reason.contains(files.path("other.pem")) == true)
        #expect(error?.reason.contains("key values mismatch") == true)
    }

    @Test func aFileWithoutCertificatesIsNamed() throws {
        let files = try CertificateFiles()
        let error = #expect(throws: TLSError.self) {
            try TLSContext(trustedAuthoritiesPath: files.path("key.pem"))
        }
        #expect(error?.reason.contains(files.path("key.pem")) == true)
    }

    @Test(arguments: [[], [""], ["a,DNS:b"], ["a b"], ["é.example"], ["localhost", "x/y"]])
    func hostsThatAreNoneAreRefused(_ hosts: [String]) {
        #expect(throws: TLSError.self) { try CertificateAuthority.make(hosts: hosts, days: 1) }
    }

    @Test func everyAuthorityIsNew() throws {
        let first = try CertificateAuthority.make(hosts: ["localhost"], days: 1)
        let second = try CertificateAuthority.make(hosts: ["localhost"], days: 1)
        #expect(first.authorityPEM != second.authorityPEM)
        #expect(first.leafKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(first.leafChainPEM.hasSuffix(first.authorityPEM))
    }
}

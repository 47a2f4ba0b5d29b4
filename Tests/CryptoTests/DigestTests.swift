import Bytes
import Crypto
import Testing

@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func sha256MatchesTheStandard(_ text: String, _ expected: String) {
        #expect(Hex.encode(Digest.sha256([UInt8](text.utf8))) == expected)
    }

    @Test func sha1MatchesTheStandardAndTheHandshake() {
        #expect(Hex.encode(Digest.sha1([UInt8]("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        let source = [UInt8]("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
        #expect(Base64.encode(Digest.sha1(source)) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    // RFC 4231, test cases 2, 4 and 6, and keys at and around the block size.
    @Test func hmacMatchesTheStandard() {
        let jefe = HMAC.sha256([UInt8]("what do ya want for nothing?".utf8), key: [UInt8]("Jefe".utf8))
        #expect(Hex.encode(jefe) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let fourth = HMAC.sha256([UInt8](repeating: 0xCD, count: 50), key: [UInt8](1...25))
        #expect(Hex.encode(fourth) == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
        let text = [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        let long = HMAC.sha256(text, key: [UInt8](repeating: 0xAA, count: 131))
        #expect(Hex.encode(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func hmacTakesEmptyKeysAndMessages() {
        #expect(
            Hex.encode(HMAC.sha256([], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func hmacMatchesASignedSignInToken() {
        let message =
            "1700000000000"
            + "eyJpZCI6IjEyMyIsImVtYWlsIjoidGVzdEBleGFtcGxlLmNvbSIsInVzZXJuYW1lIjoidGVzdGVyIn0="
        let signature = HMAC.sha256([UInt8](message.utf8), key: [UInt8]("test-api-secret".utf8))
        #expect(Hex.encode(signature) == "f7e13d510e7f0cb11f027ce8161b8dc0f380df4aa85213ed15a973e34cb9dc2f")
    }
}

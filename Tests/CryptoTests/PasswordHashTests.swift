import Crypto
import Testing

@Suite struct PasswordHashTests {
    @Test func onlyTheRightPasswordVerifies() {
        let hash = PasswordHash.hash("correct horse é")
        #expect(hash.hasPrefix("scrypt$16384$8$1$"))
        #expect(PasswordHash.verify("correct horse é", hash))
        #expect(!PasswordHash.verify("correct horse e", hash))
        #expect(!PasswordHash.verify("", hash))
    }

    @Test func theSamePasswordHashesDifferentlyEachTime() {
        #expect(PasswordHash.hash("") != PasswordHash.hash(""))
    }

    // RFC 7914, section 12, the first 32 of 64 bytes: password "password", salt "NaCl", but cheaper than stored hashes.
    @Test func anotherCostIsHonoured() {
        #expect(
            PasswordHash.verify(
                "password", "scrypt$1024$8$16$TmFDbA$_bq-HJ00cgB4VucZDQHp_nxq18vII3gw53N2Y0s3MWI"))
    }

    @Test(arguments: [
        "", "scrypt", "bcrypt$16384$8$1$TmFDbA$AAAA", "scrypt$16384$8$1$TmFDbA$", "scrypt$16384$8$1$TmFDbA$AAAA",
        "scrypt$16384$8$1$!$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$3$8$1$TmFDbA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$1$8$1$TmFDbA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$18446744073709551615$8$1$TmFDbA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$9223372036854775808$18446744073709551615$1$TmFDbA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$4194304$8$1$TmFDbA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func aHashThatIsNoneVerifiesNothing(_ hash: String) {
        #expect(!PasswordHash.verify("password", hash))
    }
}

import Domain
import Testing

@Suite struct PasswordRuleTests {
    @Test(arguments: ["abcdefghij", "пароль длинный", String(repeating: "abcd", count: 50)])
    func whatIsLongEnoughIsFine(_ password: String) { #expect(PasswordRule.fault(password) == nil) }

    @Test(arguments: ["", "abcdefghi", String(repeating: "abcd", count: 50) + "e", "aaaaaaaaaa", "abcabcabcabc"])
    func whatIsTooShortTooLongOrTooEvenIsRefused(_ password: String) { #expect(PasswordRule.fault(password) != nil) }
}

import Domain
import Testing

@Suite struct CommentRulesTests {
    @Test func `a repetition is known by its letters`() {
        let print = CommentRules.fingerprint("Hello, World!")
        for same in ["hello world", "HELLO... WORLD", "he\u{200B}llo\nworld", " Hello,  World? "] {
            #expect(CommentRules.fingerprint(same) == print)
        }
        #expect(CommentRules.fingerprint("Hello, Worlds!") != print)
        #expect(CommentRules.fingerprint("cafe\u{301}") == CommentRules.fingerprint("CAF\u{C9}"))
        #expect(CommentRules.fingerprint("5 + 5") != CommentRules.fingerprint("5 - 5"))
    }

    @Test func `texts without letters are still told apart`() {
        #expect(CommentRules.fingerprint("?!") == CommentRules.fingerprint("? !"))
        #expect(CommentRules.fingerprint("?!") != CommentRules.fingerprint("!!"))
        #expect(CommentRules.fingerprint("😀") != CommentRules.fingerprint("😢"))
        #expect(CommentRules.fingerprint(" ").isEmpty)
    }
}

import Domain
import JSON
import Testing

@Suite("How a tenant judges new comments")
struct ModerationSettingsTests {
    @Test("nothing set filters words and spam, refuses repetitions and holds nothing back")
    func unset() {
        let settings = ModerationSettings()
        #expect(settings.filtersProfanity && settings.filtersSpam)
        #expect(!settings.requiresApproval && !settings.refusesSpam && !settings.sendsProfaneToSpam)
        #expect(settings.repeatAction == .refuse)
        #expect(settings.flagThreshold == nil)
        #expect(settings.unverifiedLifetime == 259_200_000)
        #expect(settings.object.members.isEmpty)
    }

    @Test("keys are set, kept and taken back")
    func changes() throws {
        let set = try ModerationSettings().setting(
            object(#"{"commentsRequireApproval":true,"autoUnapproveFlagThreshold":3}"#))
        #expect(set.requiresApproval && set.flagThreshold == 3)
        #expect(ModerationSettings(set.object) == set)
        let back = try set.setting(object(#"{"autoUnapproveFlagThreshold":null}"#))
        #expect(back.requiresApproval && back.flagThreshold == nil)
    }

    @Test(
        "what does not fit is named",
        arguments: [
            #"{"blockSpam":"yes"}"#, #"{"autoUnapproveFlagThreshold":0}"#, #"{"repeatAction":3}"#, #"{"unknown":1}"#,
        ])
    func refused(text: String) throws {
        let changes = try object(text)
        #expect(throws: SettingFault.self) { try ModerationSettings().setting(changes) }
    }

    private func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue.parse(text).object)
    }
}

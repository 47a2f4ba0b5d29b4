import Testing

@testable import Reactor

@Suite struct SlotTableTests {
    @Test func aKeyFindsItsElementUntilTheElementIsRemoved() {
        var table = SlotTable<String>()
        let first = table.insert("a")
        let second = table.insert("b")
        #expect(table[first] == "a")
        #expect(table.remove(first) == "a")
        #expect(table.remove(first) == nil)
        #expect(table[first] == nil)
        #expect(table[second] == "b")
        #expect(table.count == 1)
    }

    @Test func aReusedSlotDoesNotAnswerToTheOldKey() {
        var table = SlotTable<String>()
        let old = table.insert("old")
        table.remove(old)
        let new = table.insert("new")
        #expect(new.slot == old.slot)
        #expect(table[old] == nil)
        table.update(old, "wrong")
        #expect(table[new] == "new")
    }

    @Test func aKeySurvivesBeingPacked() {
        let key = SlotKey(slot: 0xFFFF_0001, generation: 0x8000_0002)
        #expect(SlotKey(packed: key.packed) == key)
    }

    @Test func aKeyOfAnotherTableFindsNothing() {
        #expect(SlotTable<String>()[SlotKey(slot: 5, generation: 0)] == nil)
    }
}

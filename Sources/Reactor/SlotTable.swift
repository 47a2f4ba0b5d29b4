/// Names an element of a `SlotTable` for as long as it is there, and nothing afterwards.
package struct SlotKey: Hashable, Sendable {
    /// Where the element is; used again after its removal.
    package let slot: UInt32
    /// How many elements were removed from that place before.
    package let generation: UInt32

    /// A key put together from its parts, for example one that came back from another thread.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(packed: UInt64) {
        self.init(slot: UInt32(truncatingIfNeeded: packed), generation: UInt32(packed >> 32))
    }

    var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// Elements under keys that are never given out twice (until one place has seen four thousand million).
/// Adding, finding and removing take constant time.
package struct SlotTable<Element> {
    private struct Slot {
        var generation: UInt32 = 0
        var element: Element?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    /// An empty table.
    package init() {}

    /// How many elements there are.
    package var count: Int { slots.count - free.count }

    /// Adds an element and returns its key.
    package mutating func insert(_ element: Element) -> SlotKey {
        if let slot = free.popLast() {
            slots[Int(slot)].element = element
            return SlotKey(slot: slot, generation: slots[Int(slot)].generation)
        }
        slots.append(Slot(element: element))
        return SlotKey(slot: UInt32(slots.count - 1), generation: 0)
    }

    /// The element; nil once it was removed.
    package subscript(_ key: SlotKey) -> Element? {
        guard key.slot < slots.count, slots[Int(key.slot)].generation == key.generation else { return nil }
        return slots[Int(key.slot)].element
    }

    /// Replaces an element; nothing happens when it was removed.
    package mutating func update(_ key: SlotKey, _ element: Element) {
        guard self[key] != nil else { return }
        slots[Int(key.slot)].element = element
    }

    /// Removes and returns the element; nil when it was removed before.
    @discardableResult
    package mutating func remove(_ key: SlotKey) -> Element? {
        guard let element = self[key] else { return nil }
        slots[Int(key.slot)].element = nil
        slots[Int(key.slot)].generation &+= 1
        free.append(key.slot)
        return element
    }

    /// All elements there are at this moment, in no particular order.
    package var elements: [Element] { slots.compactMap(\.element) }
}

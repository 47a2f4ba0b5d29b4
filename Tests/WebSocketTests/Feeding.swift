import WebSocket

let key = MaskingKey(0x37, 0xFA, 0x21, 0x3D)

/// The events of one connection, without `.needMore`. Stops at the first failure.
/// - Parameter renews: takes a new assembler between messages, as connections do.
func events(
    _ pieces: [ArraySlice<UInt8>], role: Role, limits: MessageAssembler.Limits, renews: Bool = false,
    takesPacked: Bool = false
) -> [MessageEvent] {
    func fresh() -> MessageAssembler { MessageAssembler(role: role, limits: limits, takesPacked: takesPacked) }
    var assembler = fresh()
    var seen: [MessageEvent] = []
    for piece in pieces {
        let input = [UInt8](piece)
        if renews, assembler.isBetweenMessages { assembler = fresh() }
        var position = 0
        feeding: while true {
            let event = assembler.next(input.span, &position)
            switch event {
            case .needMore:
                precondition(position == input.count, "bytes were left")
                break feeding
            case .failure:
                return seen + [event]
            default:
                seen.append(event)
            }
        }
    }
    return seen
}

/// The events that all splits agree on: whole, byte by byte, and every way to cut it in two. Nil when they do not.
func events(
    _ bytes: [UInt8], role: Role = .server, limits: MessageAssembler.Limits = MessageAssembler.Limits(),
    takesPacked: Bool = false
) -> [MessageEvent]? {
    let single = bytes.indices.map { bytes[$0...$0] }
    let pairs = bytes.indices.map { [bytes[..<$0], bytes[$0...]] }
    let all = ([[bytes[...]], single] + pairs).flatMap { pieces in
        [false, true].map { events(pieces, role: role, limits: limits, renews: $0, takesPacked: takesPacked) }
    }
    return all.allSatisfy { $0 == all[0] } ? all[0] : nil
}

func utf8(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

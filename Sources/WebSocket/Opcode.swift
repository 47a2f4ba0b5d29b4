/// What a frame carries (RFC 6455, section 5.2). Every other number is reserved and fails the connection.
package enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Control frames may stand between the fragments of a message (section 5.5).
    package var isControl: Bool { rawValue >= 8 }

    var beginsMessage: Bool { self == .text || self == .binary }
}

/// The ASCII bytes that the wire formats name.
package enum ASCII {
    /// Horizontal tab.
    package static let tab: UInt8 = 0x09
    /// LF.
    package static let lineFeed: UInt8 = 0x0A
    /// CR.
    package static let carriageReturn: UInt8 = 0x0D
    /// SP.
    package static let space: UInt8 = 0x20
    /// `"`.
    package static let quote: UInt8 = 0x22
    /// `#`.
    package static let hash: UInt8 = 0x23
    /// `%`.
    package static let percent: UInt8 = 0x25
    /// `&`.
    package static let ampersand: UInt8 = 0x26
    /// `*`.
    package static let asterisk: UInt8 = 0x2A
    /// `+`.
    package static let plus: UInt8 = 0x2B
    /// `,`.
    package static let comma: UInt8 = 0x2C
    /// `-`.
    package static let hyphen: UInt8 = 0x2D
    /// `.`.
    package static let dot: UInt8 = 0x2E
    /// `/`.
    package static let slash: UInt8 = 0x2F
    /// `0`.
    package static let zero: UInt8 = 0x30
    /// `:`.
    package static let colon: UInt8 = 0x3A
    /// `;`.
    package static let semicolon: UInt8 = 0x3B
    /// `=`.
    package static let equals: UInt8 = 0x3D
    /// `?`.
    package static let question: UInt8 = 0x3F
    /// `@`.
    package static let at: UInt8 = 0x40
    /// `_`.
    package static let underscore: UInt8 = 0x5F
    /// DEL.
    package static let delete: UInt8 = 0x7F

    /// A–Z become a–z, every other byte stays.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// 0–9.
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    /// A–Z and a–z.
    package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26
    }

    /// A–Z, a–z and 0–9.
    package static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    /// 0x00–0x1F and 0x7F.
    package static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == delete
    }

    /// Space and horizontal tab: the optional whitespace of HTTP (RFC 9110, section 5.6.3).
    package static func isBlank(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    /// The value of a hexadecimal digit in either case; nil for any other byte.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// Whether both texts are equal when A–Z and a–z count as the same letters. Other bytes must match exactly.
    package static func equalsIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
    }
}

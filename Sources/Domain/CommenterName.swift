/// Names of commenters: what may be one, and how a tenant shows them.
package enum CommenterName {
    /// Longest name a guest may choose, in characters.
    package static let guestLimit = 100

    /// How names are shown (contract: public 21.2, `commenterNameFormat`).
    package enum Format: Int, Sendable {
        case asEntered = 0
        case capitalised = 1
        case lastInitial = 2
        case allInitials = 3
        case anonymous = 4
    }

    /// Without markup, control and direction characters, composed, spaces at the ends and doubled ones removed.
    package static func cleaned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: name.unicodeScalars.filter { !$0.isInvisibleControl })
        let plain = withoutTags(String(scalars))
        return plain.composed.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init)
            .joined(separator: " ")
    }

    private static func withoutTags(_ text: String) -> String {
        // By scalars: a mark after a bracket does not hide it.
        var rest = text.unicodeScalars[...]
        var result = String.UnicodeScalarView()
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: ">") else { return String(result) }
            rest = rest[rest.index(after: close)...]
        }
        return String(result + rest)
    }

    /// The name as the tenant shows it.
    package static func formatted(_ name: String, as format: Format) -> String {
        switch format {
        case .asEntered: return name
        case .capitalised:
            return words(name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
        case .lastInitial:
            let words = words(name)
            guard words.count > 1, let last = words.last else { return name }
            return words.dropLast().joined(separator: " ") + " " + last.prefix(1).uppercased() + "."
        case .allInitials: return words(name).map { $0.prefix(1).uppercased() + "." }.joined(separator: " ")
        case .anonymous: return "Anonymous"
        }
    }

    private static func words(_ name: String) -> [Substring] { name.split(separator: " ") }

    /// The beginning that a name surely has, but for case, when it is shown with this beginning.
    package static func stem(ofShown text: String, as format: Format) -> String {
        switch format {
        case .asEntered, .capitalised: text
        case .lastInitial: text.hasSuffix(".") ? String(text.dropLast()) : text
        case .allInitials: String(text.prefix(1))
        case .anonymous: ""
        }
    }
}

extension CommenterName.Format {
    /// Whether names are shown without something that they hold.
    package var hidesLetters: Bool {
        switch self {
        case .asEntered, .capitalised: false
        case .lastInitial, .allInitials, .anonymous: true
        }
    }
}

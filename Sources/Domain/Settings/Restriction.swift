import JSON

/// How to tell which of two values of a setting lets people do or see less. Settings without one keep nobody from
/// anything.
package enum Restriction: Sendable {
    /// The flag restricts when it is this; absent is false.
    case flag(Bool)
    /// More restricts more; absent is `unset`.
    case more(unset: Int64)
    /// Less restricts more; absent is `unset`.
    case less(unset: Int64)
    /// A list of what is allowed; absent is everything, or nothing.
    case allowed(absentIsAll: Bool)
    /// Words in comments that may make them spam.
    case spamRules
    /// Terms restrict when they must be accepted.
    case terms
    /// A text restricts when there is one.
    case text

    /// The value that holds where either might: one of both, or what they have in common.
    func stricter(_ value: JSONValue?, _ other: JSONValue?) -> JSONValue? {
        switch self {
        case .allowed(let absentIsAll): Self.common(value, other, absentIsAll: absentIsAll)
        case .spamRules: Self.together(value, other)
        default: rank(other) > rank(value) ? other : value
        }
    }

    /// Higher is stricter.
    private func rank(_ value: JSONValue?) -> Int64 {
        switch self {
        case .flag(let restricts): return (value?.bool ?? false) == restricts ? 1 : 0
        case .more(let unset): return value?.integer ?? unset
        case .less(let unset): return -(value?.integer ?? unset)
        case .terms: return Terms(value) == nil ? 0 : 1
        case .text: return value?.string?.isEmpty == false ? 1 : 0
        case .allowed, .spamRules: return 0
        }
    }

    private static func common(_ value: JSONValue?, _ other: JSONValue?, absentIsAll: Bool) -> JSONValue? {
        guard let left = value?.array, let right = other?.array else {
            let isListed = value?.array != nil
            return isListed == absentIsAll ? value : other
        }
        return .array(left.filter(right.contains))
    }

    /// What any rule of either calls spam is spam, so exceptions count only where both say the same.
    private static func together(_ value: JSONValue?, _ other: JSONValue?) -> JSONValue? {
        let (left, right) = (value?.array ?? [], other?.array ?? [])
        if left == right { return value ?? other }
        let spam = (left + right).filter { SpamRule($0)?.actions.contains(.spam) == true }
        return .array(spam)
    }
}

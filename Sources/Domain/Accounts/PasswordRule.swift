/// What a password of a tenant's user must be: long, since nothing else makes it hard to guess.
package enum PasswordRule {
    /// Code points.
    package static let length = 10...200

    /// Why a password is refused; nil when it is fine.
    package static func fault(_ password: String) -> String? {
        let count = password.unicodeScalars.count
        guard length.contains(count) else {
            return "A password has \(length.lowerBound) to \(length.upperBound) characters; this one has \(count)."
        }
        return Set(password).count < 4 ? "A password has at least 4 different characters." : nil
    }
}

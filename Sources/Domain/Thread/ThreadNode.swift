/// All of a comment that its place in a thread depends on.
package struct ThreadNode: Sendable {
    /// Order of insertion; a parent's is lower than its children's.
    package let seq: Int64
    /// The parent's `seq`, 0 for a root.
    package let parent: Int64
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// By votes and age; higher stands first in the most relevant order.
    package let score: Double
    /// When it was pinned, 0 when it is not.
    package let pinnedAt: Int64
    /// Not approved, or spam: kept from ordinary readers.
    package let isHidden: Bool
    /// Spam: kept from everybody, its author and moderators included.
    package let isSpam: Bool
    /// A placeholder whose text is gone: listed, but not counted.
    package let isDeleted: Bool
    /// Wire id of the author of a hidden comment; who sees it himself.
    package let hiddenAuthor: String?

    /// `author` is kept for hidden comments only.
    package init(
        seq: Int64, parent: Int64, createdAt: Int64, score: Double, pinnedAt: Int64, isApproved: Bool, isSpam: Bool,
        isDeleted: Bool, author: String?
    ) {
        self.seq = seq
        self.parent = parent
        self.createdAt = createdAt
        self.score = score
        self.pinnedAt = pinnedAt
        self.isSpam = isSpam
        self.isDeleted = isDeleted
        isHidden = !isApproved || isSpam
        hiddenAuthor = isHidden ? author : nil
    }
}

/// Who reads a thread, as far as it decides what is visible (contract: public 4.4).
package enum ThreadViewer: Sendable, Equatable {
    /// Sees approved comments.
    case reader
    /// Sees approved comments and the own pending ones.
    case author(String)
    /// Sees pending comments too.
    case staff

    /// As far as it depends on the node alone.
    package func sees(_ node: ThreadNode) -> Bool {
        if !node.isHidden { return true }
        if node.isSpam { return false }
        return switch self {
        case .reader: false
        case .author(let id): node.hiddenAuthor == id
        case .staff: true
        }
    }
}

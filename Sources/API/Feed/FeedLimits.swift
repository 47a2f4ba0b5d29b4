/// The numbers of the feed.
enum FeedLimits {
    /// Posts of an answer when none are asked for, …
    static let defaultPageSize = 10
    /// … and at most; more is taken for this.
    static let pageSize = 100
    /// Shown characters of the content; a title and a label of a link have `titleLength`.
    static let contentLength = 10_000
    static let titleLength = 500
    static let descriptionLength = 2000
    static let media = 50
    /// Pictures in different sizes of one medium.
    static let sizes = 10
    /// Pixels of a side.
    static let side: Int64 = 100_000
    static let links = 50
    static let tags = 50
    static let tagLength = 100
    static let metaEntries = 50
    static let metaKeyLength = 100
    static let metaValueLength = 2000
    /// All texts of a post together as stored, UTF-8 bytes: a post travels in one live frame.
    static let bytes = 96 * 1024
    /// Different kinds of reactions that one post may have.
    static let reactTypes = 100
    /// Kinds on one post of somebody who adds a new one.
    static let ownReactTypes = 20
    static let reactTypeLength = 32
    /// Posts that one call may ask about.
    static let ids = 1000
    /// Within this time an equal post is a repetition, milliseconds.
    static let repetitionWindow: Int64 = 10_000
}

import JSON

/// The comments of an answer as finished JSON, the same for all viewers but for their marks: where those stand is
/// known, so that a viewer's own are laid in without writing the rest again.
struct RenderedComments: Sendable {
    /// What one comment is marked by.
    struct Subject: Sendable {
        let seq: Int64
        let author: String?
        /// Where the members of its marks begin in `json`; they are as long as `unmarked`.
        let offset: Int
    }

    /// The array with its brackets, without marks.
    private(set) var json: [UInt8] = []
    private(set) var subjects: [Subject] = []
    /// The same without marks, compressed.
    let piece = SharedPiece()

    /// The members of a comment without marks, as `ViewerMarks` writes them.
    private static let unmarked: [UInt8] = members(of: ViewerMarks(), seq: 0, author: nil)

    /// - Parameter offsets: where the marks of each comment begin.
    init(json: [UInt8], comments: [PublicComment], offsets: [Int]) {
        self.json = json
        subjects = zip(comments, offsets).map { comment, offset in
            Subject(seq: comment.record.seq, author: comment.record.authorKey, offset: offset)
        }
    }

    var seqs: [Int64] { subjects.map(\.seq) }

    /// The array for a viewer, with its compressed form where it has one.
    func content(with marks: ViewerMarks) -> CommentContent.Comments {
        .finished(json(with: marks), marks.isEmpty ? piece : nil)
    }

    /// The array for a viewer.
    func json(with marks: ViewerMarks) -> [UInt8] {
        guard !marks.isEmpty else { return json }
        var result: [UInt8] = []
        result.reserveCapacity(json.count + 1024)
        var copied = 0
        for subject in subjects where marks.touch(subject.seq, author: subject.author) {
            result.append(contentsOf: json[copied..<subject.offset])
            result.append(contentsOf: Self.members(of: marks, seq: subject.seq, author: subject.author))
            copied = subject.offset + Self.unmarked.count
        }
        result.append(contentsOf: json[copied...])
        return result
    }

    private static func members(of marks: ViewerMarks, seq: Int64, author: String?) -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        marks.write(seq, author: author, to: &json)
        return Array(json.bytes.dropFirst())
    }
}

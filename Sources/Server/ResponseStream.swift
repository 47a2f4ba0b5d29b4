import HTTP1

/// A response body that is asked for piece by piece, framed for the wire.
final class ResponseStream {
    private let source: @Sendable () -> [UInt8]?
    private let isChunked: Bool
    /// Told once, with the number of bytes before framing.
    private var ended: ((Int) -> Void)?
    private var byteCount = 0

    init(_ source: @escaping @Sendable () -> [UInt8]?, isChunked: Bool, ended: @escaping (Int) -> Void) {
        self.source = source
        self.isChunked = isChunked
        self.ended = ended
    }

    /// What to send next, perhaps nothing yet; nil after the end.
    func next() -> [UInt8]? {
        guard ended != nil else { return nil }
        guard let piece = source() else {
            abandon()
            return isChunked ? ResponseSerializer.lastChunk : nil
        }
        byteCount += piece.count
        guard isChunked else { return piece }
        var framed: [UInt8] = []
        framed.reserveCapacity(piece.count + 12)
        ResponseSerializer.appendChunk(piece, to: &framed)
        return framed
    }

    /// Nothing more will be asked for.
    func abandon() {
        ended?(byteCount)
        ended = nil
    }
}

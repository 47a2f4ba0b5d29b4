import Domain

/// Several works of one ``Background``, a step of each in turn. One that fails does not hold up the others.
package struct InTurn: Sendable {
    private let steps: [Background.Step]

    /// Describes the works, in their order.
    package init(_ steps: Background.Step...) { self.steps = steps }

    /// Does a step of each. Runs on the thread of the background; may wait for the writer.
    ///
    /// Throws what one of them threw when the others have nothing more to do: until then, it is tried again with each
    /// round. Gives true when there may be more to do.
    package func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        var hasMore = false
        var failure: APIError?
        for step in steps {
            do {
                hasMore = try step(lane, writer) || hasMore
            } catch {
                failure = error
            }
        }
        if let failure, !hasMore { throw failure }
        return hasMore
    }
}

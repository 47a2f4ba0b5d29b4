/// Encoded WebSocket frames of a server. They carry no mask, so all receivers share the same bytes.
///
/// A batch is one entry of an output queue, however many frames it has, and is drawn from the shared storage as the
/// socket drains.
package struct FrameBatch: Sendable {
    /// None is empty.
    let frames: [[UInt8]]

    /// One frame, not empty.
    package init(_ frame: [UInt8]) {
        self.init([frame])
    }

    /// Frames in their order.
    package init(_ frames: [[UInt8]]) {
        self.frames = frames.contains(where: \.isEmpty) ? frames.filter { !$0.isEmpty } : frames
    }
}

/// Encoded WebSocket frames of a server. They carry no mask, so all receivers share the same bytes.
///
/// A batch is one entry of an output queue, however many frames it has, and is drawn from the shared storage as the
/// socket drains.
package struct FrameBatch: Sendable {
    /// None is empty.
    let frames: [SharedFrame]

    /// One frame, not empty, which is not compressed.
    package init(_ frame: [UInt8]) {
        self.init([frame])
    }

    /// Frames in their order, which are not compressed.
    package init(_ frames: [[UInt8]]) {
        self.frames = frames.compactMap { $0.isEmpty ? nil : SharedFrame(plain: $0) }
    }

    /// Frames in their order, none empty, compressed for those who agreed on it.
    package init(_ frames: [SharedFrame]) {
        self.frames = frames
    }
}

extension [UInt8] {
    /// Appends a copy of `span`.
    package mutating func append(copying span: Span<UInt8>) {
        // SAFETY: the pointer does not leave the closure, and the span keeps its memory alive for the call.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// A new array with the bytes of `span`.
    package init(copying span: Span<UInt8>) {
        // SAFETY: the pointer does not leave the closure, and the span keeps its memory alive for the call.
        self = unsafe span.withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}

extension String {
    /// The text in `span`; bytes that are not UTF-8 become U+FFFD.
    package init(repairing span: Span<UInt8>) {
        // SAFETY: the pointer does not leave the closure, and the span keeps its memory alive for the call.
        self = unsafe span.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The text in `span`; nil when it is not UTF-8.
    package init?(validating span: Span<UInt8>) {
        // SAFETY: the pointer does not leave the closure, and the span keeps its memory alive for the call.
        guard let text = unsafe span.withUnsafeBufferPointer({ unsafe String(validating: $0, as: UTF8.self) }) else {
            return nil
        }
        self = text
    }
}

/// A value that writes itself as one JSON value.
package protocol JSONWritable {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

extension JSONWritable {
    /// The value as a JSON text.
    package func jsonBytes(capacity: Int = 256) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        write(to: &json)
        return json.bytes
    }
}

extension JSONWriter {
    /// A string member.
    package mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// An integer member.
    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        int(value)
    }

    /// A boolean member.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// A member that writes itself.
    package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
    }

    /// A string member, or `null` when there is no value.
    package mutating func member(_ name: StaticString, orNull value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// A string member, left out when there is no value.
    package mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    /// An integer member, left out when there is no value.
    package mutating func member(_ name: StaticString, ifPresent value: (some BinaryInteger)?) {
        if let value { member(name, value) }
    }

    /// A boolean member, left out when there is no value.
    package mutating func member(_ name: StaticString, ifPresent value: Bool?) {
        if let value { member(name, value) }
    }

    /// An array of strings.
    package mutating func member(_ name: StaticString, _ values: [String]) {
        key(name)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// An array of values that write themselves.
    package mutating func member(_ name: StaticString, _ values: [some JSONWritable]) {
        key(name)
        beginArray()
        for value in values { value.write(to: &self) }
        endArray()
    }
}

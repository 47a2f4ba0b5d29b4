import Bytes
import HTTP1

/// What the parameters of a pattern stand for in one path, percent-decoded.
package struct PathParameters: Sendable, Equatable {
    private let names: [String]
    private let values: [String]

    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The segment for `{name}`; nil when the pattern has no such parameter.
    package subscript(_ name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}

/// Finds the endpoint for a request. Frozen: all loops share it.
package struct RouteTable<Endpoint: Sendable>: Sendable {
    /// A method and a pattern.
    package struct Route: Sendable, Hashable {
        /// As it was added.
        package let method: Method
        /// As it was added.
        package let pattern: String
    }

    /// What became of a request.
    package enum Match {
        case found(Endpoint, PathParameters)
        /// Answer 405 with `Allow`. The methods that the path has, in the order of `Method.allCases`.
        case methodNotAllowed([Method])
        case notFound
        /// Answer 400: the path is not UTF-8 once decoded.
        case badPath
    }

    private let root: RouteNode
    private let endpoints: [Endpoint]
    /// All routes, in the order in which they were added.
    package let routes: [Route]

    init(root: RouteNode, endpoints: [Endpoint], routes: [Route]) {
        self.root = root
        self.endpoints = endpoints
        self.routes = routes
    }

    /// Looks up a path as it was sent, without query. A slash at the end makes no difference; a literal segment wins over
    /// a parameter, when the method fits; HEAD takes the endpoint of GET unless it has its own.
    ///
    /// Going back from a literal to a parameter is needed (`/a/b/c` and `/a/{x}/d`), and harmless: in a tree there is one
    /// way to each node, so a path visits each at most once.
    package func match(_ method: Method, _ rawPath: String) -> Match {
        guard rawPath.utf8.first == ASCII.slash else { return .notFound }
        var segments: [String] = []
        var rest = rawPath.utf8.dropFirst()
        if rest.count > 1, rest.last == ASCII.slash { rest = rest.dropLast() }
        if !rest.isEmpty {
            for raw in rest.split(separator: ASCII.slash, omittingEmptySubsequences: false) {
                guard let segment = Self.decoded(raw) else { return .badPath }
                segments.append(segment)
            }
        }
        var search = RouteSearch(segments: segments, method: method)
        guard let leaf = search.find(in: root, at: 0) else {
            guard !search.others.isEmpty else { return .notFound }
            if search.others.contains(.get) { search.others.insert(.head) }
            return .methodNotAllowed(Method.allCases.filter(search.others.contains))
        }
        return .found(endpoints[leaf.endpoint], PathParameters(names: leaf.names, values: search.values))
    }

    private static func decoded(_ raw: Substring.UTF8View.SubSequence) -> String? {
        raw.contains(ASCII.percent)
            ? PercentEncoding.decode(raw, plusIsSpace: false) : String(Substring(raw))
    }
}

/// One look-up.
private struct RouteSearch {
    let segments: [String]
    let method: Method
    /// The segments that stand for parameters on the way.
    var values: [String] = []
    /// Methods of nodes that fit but for the method.
    var others: Set<Method> = []

    mutating func find(in node: RouteNode, at index: Int) -> RouteNode.Leaf? {
        guard index < segments.count else {
            if let leaf = node.leaves[method] ?? (method == .head ? node.leaves[.get] : nil) { return leaf }
            others.formUnion(node.leaves.keys)
            return nil
        }
        let segment = segments[index]
        if let next = node.literals[segment], let leaf = find(in: next, at: index + 1) { return leaf }
        guard !segment.isEmpty, let next = node.parameter.first else { return nil }
        values.append(segment)
        if let leaf = find(in: next, at: index + 1) { return leaf }
        values.removeLast()
        return nil
    }
}

import HTTP1

/// Collects routes and freezes them into a `RouteTable`.
package struct Router<Endpoint: Sendable> {
    private var root = RouteNode()
    private var endpoints: [Endpoint] = []
    private var routes: [RouteTable<Endpoint>.Route] = []

    /// No routes.
    package init() {}

    /// Adds a route. `pattern` is a path whose segments stand for themselves or, as `{name}`, for any one segment that is
    /// not empty; `/` is the root. Traps when there is such a route already: two of them are a mistake of the program.
    package mutating func add(_ method: Method, _ pattern: String, _ endpoint: Endpoint) {
        precondition(pattern.hasPrefix("/"), "the route \(pattern) does not begin with a slash")
        var names: [String] = []
        let steps = pattern.split(separator: "/").map { segment -> RouteNode.Step in
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .literal(String(segment)) }
            let name = String(segment.dropFirst().dropLast())
            precondition(!names.contains(name), "the route \(pattern) names \(name) twice")
            names.append(name)
            return .parameter
        }
        let isNew = root.add(steps[...], method, RouteNode.Leaf(endpoint: endpoints.count, names: names))
        precondition(isNew, "the route \(method.rawValue) \(pattern) is there twice")
        endpoints.append(endpoint)
        routes.append(RouteTable.Route(method: method, pattern: pattern))
    }

    /// The routes added so far.
    package func frozen() -> RouteTable<Endpoint> {
        RouteTable(root: root, endpoints: endpoints, routes: routes)
    }
}

/// One segment deep in a trie of paths. Not generic, so that the code for it is made for it.
struct RouteNode: Sendable {
    enum Step {
        case literal(String)
        case parameter
    }

    struct Leaf: Sendable {
        /// Where the endpoint is in the list of all.
        let endpoint: Int
        let names: [String]
    }

    private(set) var literals: [String: RouteNode] = [:]
    /// At most one; in an array because a struct cannot contain itself.
    private(set) var parameter: [RouteNode] = []
    private(set) var leaves: [Method: Leaf] = [:]

    /// False when there is a leaf at that place already.
    mutating func add(_ steps: ArraySlice<Step>, _ method: Method, _ leaf: Leaf) -> Bool {
        guard let step = steps.first else {
            defer { leaves[method] = leaf }
            return leaves[method] == nil
        }
        switch step {
        case .literal(let text):
            return literals[text, default: RouteNode()].add(steps.dropFirst(), method, leaf)
        case .parameter:
            if parameter.isEmpty { parameter = [RouteNode()] }
            return parameter[0].add(steps.dropFirst(), method, leaf)
        }
    }
}

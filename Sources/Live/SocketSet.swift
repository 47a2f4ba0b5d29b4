import Server

/// Sockets of one holder: mostly one, which then takes no memory of its own.
enum SocketSet {
    case one(ConnectionID)
    case many(Set<ConnectionID>)

    init(_ socket: ConnectionID) { self = .one(socket) }

    var all: [ConnectionID] {
        switch self {
        case .one(let socket): [socket]
        case .many(let sockets): Array(sockets)
        }
    }

    mutating func insert(_ socket: ConnectionID) {
        switch self {
        case .one(let first):
            if first != socket { self = .many([first, socket]) }
        case .many(var sockets):
            // So that the set has one owner, and is not copied.
            self = .one(socket)
            sockets.insert(socket)
            self = .many(sockets)
        }
    }

    /// - Returns: whether none is left.
    mutating func remove(_ socket: ConnectionID) -> Bool {
        switch self {
        case .one(let last):
            return last == socket
        case .many(var sockets):
            self = .one(socket)
            sockets.remove(socket)
            guard sockets.count == 1, let last = sockets.first else {
                self = .many(sockets)
                return sockets.isEmpty
            }
            self = .one(last)
            return false
        }
    }
}

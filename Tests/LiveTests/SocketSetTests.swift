import Testing

@testable import Live
@testable import Server

@Suite struct SocketSetTests {
    private let sockets = (0..<4).map { ConnectionID(0, $0) }

    /// Takes sockets out of a set of some others. Gives what is left, and what each removal said.
    private func remove(_ gone: [Int], of added: [Int]) -> (left: Set<ConnectionID>, isLast: [Bool]) {
        var set = SocketSet(sockets[added[0]])
        for index in added { set.insert(sockets[index]) }
        var isLast: [Bool] = []
        for index in gone { isLast.append(set.remove(sockets[index])) }
        #expect(Set(set.all).count == set.all.count)
        return (Set(set.all), isLast)
    }

    @Test func `it has what was put in and not taken out, once each`() {
        #expect(remove([], of: [0, 1, 2, 3, 0, 1]).left == Set(sockets))
        let some = remove([1, 1], of: [0, 1, 2, 3])
        #expect(some.left == [sockets[0], sockets[2], sockets[3]])
        #expect(some.isLast == [false, false])
    }

    @Test func `it says when the last one is gone`() {
        #expect(remove([0], of: [0, 1]).left == [sockets[1]])
        #expect(remove([0, 0, 1], of: [0, 1]).isLast == [false, false, true])
        #expect(remove([0], of: [0, 0]).isLast == [true])
    }
}

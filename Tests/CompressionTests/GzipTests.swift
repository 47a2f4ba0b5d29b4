import Compression
import Testing

/// Files of plain and compressed parts (RFC 1951, RFC 1952).
@Suite struct GzipTests {
    private static let limit = 1 << 22

    private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 60)
        }
    }

    @Test(arguments: [
        (0, 0, 0), (0, 1, 0), (1, 0, 1), (10, 1000, 10), (65_534, 5, 65_534), (65_535, 5, 65_535), (65_536, 5, 65_536),
        (131_070, 200_000, 131_071),
    ])
    func whatGoesInComesOut(_ before: Int, _ piece: Int, _ after: Int) throws {
        let parts = [before, piece, after].enumerated().map { Self.bytes($1, seed: UInt64($0 + 1)) }
        let file = Gzip.file(before: parts[0][...], try #require(DeflatedPiece(parts[1])), after: parts[2][...])
        #expect(Gzip.plain(file, limit: Self.limit) == parts.flatMap(\.self))
    }

    @Test func aPieceFitsIntoAnyNumberOfFiles() throws {
        let text = Array(String(repeating: "the same words again ", count: 500).utf8)
        let piece = try #require(DeflatedPiece(text))
        #expect(piece.plainCount == text.count)
        #expect(piece.count < text.count / 20)
        for around in ["", "a", "the same words"].map({ Array($0.utf8) }) {
            let file = Gzip.file(before: around[...], piece, after: around[...])
            #expect(Gzip.plain(file, limit: Self.limit) == around + text + around)
        }
    }

    @Test func whatIsDamagedIsNoFile() throws {
        let file = Gzip.file(
            before: Array("before".utf8)[...], try #require(DeflatedPiece(Self.bytes(5000, seed: 7))),
            after: Array("after".utf8)[...])
        let plain = try #require(Gzip.plain(file, limit: Self.limit))
        #expect(Gzip.plain(file, limit: plain.count) == plain)
        #expect(Gzip.plain(file, limit: plain.count - 1) == nil)
        #expect(Gzip.plain(file.dropLast(), limit: Self.limit) == nil)
        #expect(Gzip.plain(file + [0], limit: Self.limit) == nil)
        for place in [0, 16, 60, file.count - 5, file.count - 1] {
            var damaged = file
            damaged[place] ^= 0x55
            #expect(Gzip.plain(damaged, limit: Self.limit) == nil, "byte \(place)")
        }
    }
}

extension Gzip {
    fileprivate static func plain(_ file: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        plain(Array(file), limit: limit)
    }
}

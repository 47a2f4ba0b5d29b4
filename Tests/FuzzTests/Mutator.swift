/// Changes inputs at random, the same way for the same seed.
struct Mutator {
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(state: seed)
    }

    /// One input of the corpus, changed in one to four places.
    mutating func mutate(_ corpus: [[UInt8]]) -> [UInt8] {
        var input = pick(corpus)
        for _ in 0...below(4) { change(&input, corpus) }
        return input
    }

    private mutating func change(_ input: inout [UInt8], _ corpus: [[UInt8]]) {
        let place = below(input.count + 1)
        let rest = input.count - place
        switch below(6) {
        case 0 where rest > 0: input[place] ^= 1 << UInt8(below(8))
        case 1 where rest > 0: input[place] = UInt8(below(256))
        case 2: input.insert(UInt8(below(256)), at: place)
        case 3 where rest > 0: input.removeSubrange(place..<(place + 1 + below(min(rest, 16))))
        case 4 where rest > 0:
            input.insert(contentsOf: [UInt8](input[place..<(place + 1 + below(min(rest, 32)))]), at: place)
        default:
            let other = pick(corpus)
            input.replaceSubrange(place..., with: other[below(other.count + 1)...])
        }
    }

    private mutating func pick(_ corpus: [[UInt8]]) -> [UInt8] {
        corpus.isEmpty ? [] : corpus[below(corpus.count)]
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

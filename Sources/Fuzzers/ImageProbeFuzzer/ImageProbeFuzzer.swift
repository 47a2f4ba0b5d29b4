import FuzzBodies

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    ImageProbeFuzz.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

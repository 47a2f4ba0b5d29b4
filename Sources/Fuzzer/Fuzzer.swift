import FuzzBodies
import Glibc

/// The body that the environment names: one program fuzzes all, so that one build is enough.
private let subject: FuzzSubject = {
    let name = getenv("FUZZ_BODY").map { String(cString: $0) } ?? ""
    guard let subject = FuzzSubject.all.first(where: { $0.name == name }) else {
        fatalError("FUZZ_BODY is \"\(name)\"; known: \(FuzzSubject.all.map(\.name))")
    }
    return subject
}()

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    subject.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

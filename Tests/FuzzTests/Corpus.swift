import Glibc
import Testing

/// The inputs in `corpus/<name>` beside this file, in the order of their file names.
enum Corpus {
    static func load(_ name: String) throws -> [[UInt8]] {
        let here = #filePath
        let folder = here[..<(here.lastIndex(of: "/") ?? here.endIndex)] + "/corpus/" + name
        return try files(in: String(folder)).map { try read(String(folder) + "/" + $0) }
    }

    private static func files(in folder: String) throws -> [String] {
        let directory = try #require(opendir(folder), "no folder \(folder)")
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "rb"), "cannot read \(path)")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return [UInt8](bytes[..<count])
    }
}

import JSON

/// The answer to an upload (contract: public 16). Never without media: some clients take that for a failure.
struct UploadAnswer: JSONWritable, Sendable {
    let files: [StoredImage]
    let origin: String

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            if let usual = files.last(where: { $0.width <= 1000 }) ?? files.first { json.member("url", address(usual)) }
            json.key("media")
            json.beginArray()
            for file in files {
                json.object { json in
                    json.member("w", file.width)
                    json.member("h", file.height)
                    json.member("src", address(file))
                }
            }
            json.endArray()
        }
    }

    private func address(_ file: StoredImage) -> String { "\(origin)/uploads/\(file.name)" }
}

/// A fuzz body and its name, which is that of its corpus in small letters.
package struct FuzzSubject: Sendable {
    package let name: String
    /// Runs one input; traps when an invariant does not hold. Any thread.
    package let run: @Sendable ([UInt8]) -> Void

    /// One line for each body.
    package static let all = [
        FuzzSubject(name: "HTTP1", run: HTTP1Fuzz.run),
        FuzzSubject(name: "WebSocket", run: WebSocketFuzz.run),
        FuzzSubject(name: "JSON", run: JSONFuzz.run),
        FuzzSubject(name: "Multipart", run: MultipartFuzz.run),
        FuzzSubject(name: "RichText", run: RichTextFuzz.run),
        FuzzSubject(name: "SSO", run: SSOFuzz.run),
        FuzzSubject(name: "PageIdentity", run: PageIdentityFuzz.run),
        FuzzSubject(name: "Deflate", run: DeflateFuzz.run),
        FuzzSubject(name: "Answer", run: AnswerFuzz.run),
        FuzzSubject(name: "ImageProbe", run: ImageProbeFuzz.run),
    ]
}

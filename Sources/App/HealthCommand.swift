import Glibc

enum HealthCommand: Command {
    static let name = "health"
    static let summary = "asks a running server whether it is well"
    static let help = """
        Usage: parley health [--host ADDRESS] [--port PORT]

        Asks GET /healthz and ends with status 0 when the server can save, else with 1. For health checks of containers.

        Example:
          parley health --port 8080 && echo well
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["host", "port"], plain: [])
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let host =
            configuration.host == "0.0.0.0" ? "127.0.0.1" : configuration.host == "::" ? "::1" : configuration.host
        let status = try answer(host: host, port: configuration.port)
        Console.print(status.hasPrefix("HTTP/1.1 200") ? "well" : "unwell: \(status)")
        return status.hasPrefix("HTTP/1.1 200") ? 0 : 1
    }

    /// The status line of the answer.
    private static func answer(host: String, port: UInt16) throws(ToolError) -> String {
        let fault = ToolError("No server answers at \(host) port \(port).")
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else { throw fault }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw fault }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else { throw fault }
        let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw fault }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw fault }
        return String(String(decoding: buffer[..<count], as: UTF8.self).prefix { !$0.isNewline })
    }
}

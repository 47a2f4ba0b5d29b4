import Bytes
import Domain
import HTTP1
import JSON
import Outbound

/// A picture that moves.
struct Gif: Sendable, Equatable {
    /// Absolute address.
    let source: String
    /// Pixels.
    let width: Int
    /// Pixels.
    let height: Int
}

/// What a provider has of one GIF.
struct GifEntry: Sendable {
    /// For lists.
    let small: Gif
    /// For comments.
    let large: String
}

/// Speaks the interface of Giphy, version 1.
package struct GifProvider: Sendable {
    private let address: String
    private let key: String

    /// - Parameters:
    ///   - address: where `/trending` and `/search` are.
    ///   - key: never logged.
    package init(address: String, key: String) {
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.key = key
    }

    func request(_ query: GifQuery) -> OutboundRequest {
        var items = [
            ("api_key", key), ("limit", String(GifQuery.pageSize + GifQuery.spare)), ("offset", String(query.offset)),
            ("rating", query.rating),
        ]
        if let search = query.search {
            items.append(("q", search))
            if let language = query.language { items.append(("lang", language)) }
        }
        let text = items.map { "\($0.0)=\(PercentEncoding.encodeComponent($0.1))" }.joined(separator: "&")
        var request = OutboundRequest(
            address + (query.search == nil ? "/trending?" : "/search?") + text, headers: ["accept": "application/json"])
        request.redirects = 2
        return request
    }

    // MARK: Answers

    private static let smallForms = ["fixed_width", "fixed_height", "downsized", "original"]
    private static let largeForms = ["downsized_large", "original", "downsized_medium", "downsized"]

    /// Those that can be shown; nil when this is no answer of a provider.
    static func entries(_ body: [UInt8]) -> [GifEntry]? {
        guard let list = (try? JSONValue.parse(body))?.object?["data"]?.array else { return nil }
        return list.compactMap { item in
            guard let images = item.object?["images"]?.object,
                let small = smallForms.lazy.compactMap({ gif(images[$0]) }).first
            else { return nil }
            return GifEntry(
                small: small, large: largeForms.lazy.compactMap { address(images[$0]) }.first ?? small.source)
        }
    }

    private static func gif(_ image: JSONValue?) -> Gif? {
        guard let source = address(image), let width = pixels(image?.object?["width"]),
            let height = pixels(image?.object?["height"])
        else { return nil }
        return Gif(source: source, width: width, height: height)
    }

    private static func address(_ image: JSONValue?) -> String? {
        image?.object?["url"]?.string.flatMap { WebAddress.isWeb($0) ? $0 : nil }
    }

    /// Giphy writes numbers as text.
    private static func pixels(_ value: JSONValue?) -> Int? {
        let number = value?.integer.flatMap(Int.init(exactly:)) ?? value?.string.flatMap { Int($0) }
        return number.flatMap { (1...10_000).contains($0) ? $0 : nil }
    }
}

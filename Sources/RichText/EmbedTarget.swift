import Bytes

/// The address of a player that may be shown in a frame (contract: public 7.4).
struct EmbedTarget {
    /// Hosts of players that every site with embeds allows.
    static let knownHosts: Set<String> = [
        "www.youtube.com", "youtube.com", "www.youtube-nocookie.com", "player.vimeo.com", "w.soundcloud.com",
        "open.spotify.com", "www.dailymotion.com", "geo.dailymotion.com", "player.twitch.tv", "clips.twitch.tv",
        "embed.music.apple.com", "bandcamp.com", "www.loom.com", "embed.ted.com", "codepen.io",
    ]

    /// As it stands in an attribute, before escaping.
    let url: [UInt8]

    /// Nil unless it is an https address, also one that leaves the scheme out, of exactly one of the hosts.
    init?(_ source: [UInt8], hosts: Set<String>) {
        let isRelative = source.starts(with: "//".utf8)
        guard let target = LinkTarget(isRelative ? Array("https:".utf8) + source : source), let host = target.host,
            target.url.starts(with: "https://".utf8), hosts.contains(host)
        else { return nil }
        url = target.url
    }

    /// A width or height in pixels; nil unless it is one to four digits.
    static func size(_ text: [UInt8]) -> Int? {
        guard (1...4).contains(text.count), text.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }
}

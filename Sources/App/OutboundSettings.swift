import API
import Crypto
import Outbound
import Reactor

/// The settings for calls to other servers.
struct OutboundSettings: Sendable {
    /// Hosts that may have addresses which are not public, as `AddressPolicy` takes them.
    var allowedHosts: [String] = []
    /// PEM file of the authorities that TLS trusts; nil for those of the system.
    var authorities: String?
    var giphyKey: String?
    var gifAddress = "https://api.giphy.com/v1/gifs"
    /// Seconds that each failed delivery to a webhook adds to the wait for the next.
    var webhookRetry: Int64 = 60

    /// - Returns: what the value should be, when it is not that.
    mutating func set(_ key: String, _ value: String) -> String? {
        switch key {
        case "outboundAllow":
            let hosts = value.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
            guard hosts.allSatisfy({ OutboundURL("http://\($0)")?.target == "/" && !$0.contains("/") }) else {
                return "must be hosts, with a port where only that one counts"
            }
            allowedHosts = hosts
        case "outboundCa": authorities = value.isEmpty ? nil : value
        case "webhookRetry":
            guard let seconds = Int64(value), (1...3600).contains(seconds) else { return "must be 1 to 3600" }
            webhookRetry = seconds
        case "giphyKey": giphyKey = value.isEmpty ? nil : value
        default:
            guard let url = OutboundURL(value), !url.target.contains("?") else {
                return "must begin with http:// or https://, without a query"
            }
            gifAddress = url.text
        }
        return nil
    }

    /// Where calls may lead that tenants and strangers name.
    var policy: AddressPolicy { AddressPolicy(allowedHosts: allowedHosts) }

    /// What calls such addresses.
    func client() throws(ToolError) -> OutboundClient {
        do {
            return try OutboundClient(policy: policy, trustedAuthoritiesPath: authorities)
        } catch {
            throw ToolError(authorities == nil ? error.reason : "PARLEY_OUTBOUND_CA: \(error.reason)")
        }
    }

    /// Nil without a key. The provider's own host may be anywhere: the operator named it.
    func gifLibrary() throws(ToolError) -> GifLibrary? {
        guard let giphyKey, let url = OutboundURL(gifAddress) else { return nil }
        let provider = "\(url.host.contains(":") ? "[\(url.host)]" : url.host):\(url.port)"
        do {
            let client = try OutboundClient(
                policy: AddressPolicy(allowedHosts: allowedHosts + [provider]), trustedAuthoritiesPath: authorities)
            let lane = try OutboundLane(client, name: "gifs", threads: 2, queueLimit: 64)
            return GifLibrary(provider: GifProvider(address: gifAddress, key: giphyKey), lane: lane)
        } catch let error as TLSError {
            throw ToolError(authorities == nil ? error.reason : "PARLEY_OUTBOUND_CA: \(error.reason)")
        } catch {
            throw ToolError("\(error)")
        }
    }
}

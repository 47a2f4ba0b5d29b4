import Bytes
import Crypto
import Domain
import HTTP1
import JSON
import Outbound

/// A call that tells a site's own server something (contract: admin 8.2).
package struct WebhookCall: Sendable {
    let request: OutboundRequest

    /// - Parameters:
    ///   - body: sent and signed as it is.
    ///   - id: of the event, the same in every attempt, so that receivers can tell one that they have had.
    ///   - key: the tenant's newest API key.
    ///   - now: milliseconds since 1970.
    package init(
        _ url: String, _ method: HTTP1.Method, body: [UInt8], id: String, key: String, sendsKey: Bool, at now: Int64
    ) {
        let seconds = String(now / 1000)
        let signature = HMAC.sha256(Array("\(seconds).".utf8) + body, key: Array(key.utf8))
        var headers: HeaderFields = [
            "content-type": "application/json", "x-fastcomments-timestamp": seconds,
            "x-fastcomments-signature": "sha256=\(Hex.encode(signature))", "x-parley-event-id": id,
        ]
        if sendsKey { headers.add("token", key) }
        request = OutboundRequest(url, method: method, headers: headers, body: body)
    }

    private static var limits: OutboundLimits {
        var limits = OutboundLimits()
        limits.totalMilliseconds = 10_000
        limits.responseBytes = 256 << 10
        return limits
    }

    /// Calls and waits, at most ten seconds. Redirects are not followed.
    package func send(by client: OutboundClient) -> WebhookResult {
        do throws(OutboundError) {
            let answer = try client.send(request, limits: Self.limits)
            switch answer.status {
            case 200..<300: return .delivered
            case 410: return .gone(WebhookFailure(answer))
            default: return .failed(WebhookFailure(answer))
            }
        } catch {
            if error == .unavailable { return .stopped }
            return .failed(WebhookFailure(error.reason))
        }
    }
}

/// What came of a call.
package enum WebhookResult: Sendable {
    /// The receiver took it.
    case delivered
    /// Nobody wants to be told there any more.
    case gone(WebhookFailure)
    /// It is to be tried again.
    case failed(WebhookFailure)
    /// The server stops: as if it had not been tried.
    case stopped

    /// One sentence for people; nil for a success.
    package var fault: String? {
        switch self {
        case .delivered: nil
        case .gone(let failure), .failed(let failure): failure.sentence
        case .stopped: "The call was given up."
        }
    }
}

/// Why a call failed, as operators and backends read it.
package struct WebhookFailure: JSONWritable, Sendable {
    /// Characters of an answer that are kept, …
    private static let bodyLimit = 1000
    /// … and headers.
    private static let headerLimit = 30

    /// Of the answer; 0 without one.
    private let status: Int
    /// Its beginning, or why there is none.
    private let body: String
    private let headers: [(name: String, value: String)]

    init(_ answer: OutboundResponse) {
        status = answer.status
        body = String(decoding: answer.body.prefix(4 * Self.bodyLimit), as: UTF8.self).cut(to: Self.bodyLimit)
        headers = answer.headers.prefix(Self.headerLimit).map { (String($0.name), String($0.value).cut(to: 200)) }
    }

    init(_ reason: String) {
        status = 0
        body = reason
        headers = []
    }

    var sentence: String { Self.sentence(status, body) }

    private static func sentence(_ status: Int, _ body: String) -> String {
        status == 0 ? body : "The answer has the status \(status)."
    }

    /// Of a failure as it is written; nil when it is none.
    static func sentence(parsing text: String) -> String? {
        guard let object = (try? JSONValue.parse(text))?.object, let status = object["statusCode"]?.integer else {
            return nil
        }
        return sentence(Int(clamping: status), object["body"]?.string ?? "")
    }

    /// With the keys `statusCode`, `body` and `headers`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("statusCode", status)
            json.member("body", body)
            json.key("headers")
            json.object { json in
                var names: Set<String> = []
                for (name, value) in headers where names.insert(name).inserted {
                    json.key(name)
                    json.string(value)
                }
            }
        }
    }
}

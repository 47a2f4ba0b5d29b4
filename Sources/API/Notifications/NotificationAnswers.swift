import JSON

/// How many rows a change met and altered; closed key set.
struct NotificationWrite: JSONWritable, Sendable {
    let matched: Int
    let modified: Int

    static let nothing = NotificationWrite(matched: 0, modified: 0)

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("matchedCount", matched)
            json.member("modifiedCount", modified)
        }
    }
}

/// A page of the bell.
struct NotificationList: JSONWritable, Sendable {
    let notices: [Notice]
    let hasMore: Bool
    let isSubscribed: Bool
    /// nil when none were asked for.
    let labels: NotificationLabels?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("notifications")
            json.beginArray()
            for notice in notices { ListedNotice(notice: notice).write(to: &json) }
            json.endArray()
            json.member("isSubscribed", isSubscribed)
            json.member("hasMore", hasMore)
            if let labels { json.member("translations", labels) }
        }
    }
}

import JSON
import TestSupport
import Testing

/// What was acknowledged survives a crash, and nothing is there by half.
@Suite struct CrashTests {
    private static let writers = 6

    @Test func everyAcknowledgedChangeSurvivesTwentyCrashes() throws {
        let folder = try Folder()
        var server = try ParleyProcess(.data(folder.path + "/data"))
        let tenant = try server.makeTenant()
        var generator = SystemRandomNumberGenerator()
        for round in 0..<20 {
            let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
            let page = "page-\(round)"
            let writers = try write(server, tenant, page, seed)
            server = try ParleyProcess(.data(folder.path + "/data"))
            let admin = try server.reader(.admin, of: tenant, at: page)
            do {
                try check(admin, writers)
            } catch {
                throw CrashFault("round \(round), seed \(seed): \(error)")
            }
        }
        #expect(try server.terminate() == .status(0))
    }

    /// Lets all write, and kills the server after a random number of changes.
    private func write(
        _ server: ParleyProcess, _ tenant: ParleyProcess.Tenant, _ page: String, _ seed: UInt64
    ) throws -> [CrashWriter.Memory] {
        let changes = Gathered<Void>()
        let done = Gathered<CrashWriter.Memory>()
        let finish = Crowd.start(Self.writers) { thread in
            let reader = try server.reader(.reader(thread), of: tenant, at: page)
            var writer = CrashWriter(reader, name: "writer-\(thread)", seed: seed &+ UInt64(thread))
            defer { done.add(writer.memory) }
            while true {
                do {
                    try writer.step()
                } catch is ConnectionFault {
                    return
                }
                changes.add(())
            }
        }
        var generator = SeededGenerator(seed)
        let limit = Int.random(in: 10...150, using: &generator)
        try changes.wait(for: limit)
        #expect(try server.kill() == .signal(9))
        try finish()
        return done.all
    }

    private func check(_ admin: Reader, _ writers: [CrashWriter.Memory]) throws {
        let comments = try admin.list()
        let ids = comments.compactMap(\.id)
        #expect(Set(ids).count == ids.count)
        let found = Dictionary(uniqueKeysWithValues: zip(ids, comments))
        checkKnown(found, writers)
        checkUnknown(found, writers)
        try checkCounts(admin, found)
        try checkLog(admin, found, writers)
    }

    /// Every acknowledged comment is as it was acknowledged.
    private func checkKnown(_ found: [String: JSONValue], _ writers: [CrashWriter.Memory]) {
        for (id, known) in writers.flatMap(\.known) {
            #expect(known.isGone.contains(found[id] == nil), "\(id) \(known)")
            guard let comment = found[id] else { continue }
            #expect(known.texts.contains(comment["commentHTML"]?.string ?? ""), "\(comment) \(known)")
            #expect(known.votes.contains(comment["votesUp"]?.integer ?? -1), "\(comment) \(known)")
            #expect(comment["parentId"]?.string == known.parent)
        }
    }

    /// What nobody was told of is one that somebody asked for, and hangs on something.
    private func checkUnknown(_ found: [String: JSONValue], _ writers: [CrashWriter.Memory]) {
        let known = Set(writers.flatMap { $0.known.keys })
        var asked = Set(writers.compactMap(\.uncertainPost))
        for (id, comment) in found where !known.contains(id) {
            #expect(asked.remove(comment["commentHTML"]?.string ?? "") != nil, "\(comment)")
        }
        for comment in found.values {
            guard let parent = comment["parentId"]?.string else { continue }
            #expect(found[parent] != nil, "a reply to nothing: \(comment)")
        }
    }

    /// Counters agree with a recount.
    private func checkCounts(_ admin: Reader, _ found: [String: JSONValue]) throws {
        let roots = found.values.filter { $0["parentId"]?.string == nil }
        #expect(try admin.comments(["countAll": "true"])["commentCount"] == .integer(Int64(found.count)))
        #expect(try admin.comments()["commentCount"] == .integer(Int64(roots.count)))
        let tree = try admin.comments(["asTree": "true", "countChildren": "true", "maxTreeDepth": "0", "limit": "1000"])
        for root in tree["comments"]?.array ?? [] {
            let children = found.values.filter { $0["parentId"]?.string == root.id }
            #expect(root["childCount"] == .integer(Int64(children.count)))
        }
        for (id, comment) in found where comment["votesUp"] != 0 {
            let answer = try admin.client.request(
                "GET", "/comments/\(admin.tenant)/\(id)/votes", ["dir": "1", "sso": admin.sso])
            #expect(answer["voteUserNames"]?.array?.count == comment["votesUp"]?.integer.map { Int($0) })
        }
    }

    /// The log has told of each comment once, of each end once, and of each vote.
    private func checkLog(
        _ admin: Reader, _ found: [String: JSONValue], _ writers: [CrashWriter.Memory]
    ) throws {
        let log = try admin.log(token: nil)
        #expect(log.count < 2000)
        let born = log.filter { $0.type == "new-comment" }.compactMap(\.subject)
        let died = log.filter { $0.type == "deleted-comment" }.compactMap(\.subject)
        #expect(Set(born).count == born.count)
        #expect(Set(died).count == died.count)
        #expect(Set(born) == Set(found.keys).union(died), "what is told of is there, or was told to be gone")
        #expect(Set(found.keys).isDisjoint(with: died))
        #expect(Set(born).isSuperset(of: writers.flatMap { $0.known.keys }))
        var votes: [String: Int64] = [:]
        for event in log {
            guard let id = event["vote", "commentId"]?.string else { continue }
            votes[id, default: 0] += event.type == "new-vote" ? 1 : -1
        }
        for (id, comment) in found { #expect(comment["votesUp"]?.integer == votes[id] ?? 0) }
        #expect(zip(log, log.dropFirst()).allSatisfy { $0.stamp + 2 <= $1.stamp })
    }
}

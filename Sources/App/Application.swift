import API
import Bytes
import Crypto
import Domain
import Glibc
import Images
import JSON
import Live
import Outbound
import Server
import Storage
import Synchronization

/// The running server: everything that lives as long as the process.
final class Application: Sendable {
    let configuration: Configuration
    let store: Store
    let server: HTTPServer<LoopHost>
    private let uploads: Uploads
    /// Makes notices after the answers.
    private let notices: Background
    /// Does what changes, deletions of tenants among them, still have to do.
    private let tasks: Background
    /// Makes files of comments.
    private let exportWork: Background
    private let gifs: GifLibrary?
    /// Begins what is not needed for the first answer; run once, after the loops have started.
    private let makeAttendants: @Sendable () throws(ToolError) -> Attendants
    private let attendants = Mutex<Attendants?>(nil)
    /// The tenant that this start made because there was none.
    let newTenant: Configuration.TenantKey?

    /// Opens the store and binds the ports; nothing is served before `start`.
    init(_ configuration: Configuration, logger: Logger) throws(ToolError) {
        self.configuration = configuration
        gifs = try configuration.outbound.gifLibrary()
        let relay = CommitRelay()
        ImageLibrary.prepareProcess()
        StartMemory.prepare(loops: Self.loopCount(configuration))
        do {
            var options = StoreOptions()
            options.reach = PageReach.tables
            store = try Store.open(folder: configuration.data, options: options, afterCommit: relay.publish)
        } catch {
            throw ToolError(error.description)
        }
        if let damage = store.damage {
            logger.log(.error, "changes are lost", ["detail": .string(damage)])
        }
        let secret = try Setup.serverSecret(store)
        let views = ViewCounter(tokens: PresenceToken(secret: secret))
        uploads = try Setup.uploads(configuration, store)
        let loops = LoopDirectory()
        let hub = Hub(position: try Setup.lastPosition(store), post: loops.post)
        relay.attach(hub)
        notices = try Self.notices(store, hub, logger)
        let exports = try Setup.exportFolder(configuration, store)
        tasks = try Self.tasks(store, uploads, exports, notices, logger)
        exportWork = try Self.exportWork(store, exports, logger)
        let metrics = Metrics(token: configuration.metricsToken)
        let services = Services(
            hub: hub, tokens: PresenceToken(secret: secret), strangers: AnonymousIdentity(secret: secret),
            addresses: AddressHash(secret: secret), views: views,
            notices: notices, tasks: tasks, proxies: TrustedProxies(configuration.trustedProxies),
            pagesChatsFromTail: configuration.pagesChatsFromTail, suiteKeys: configuration.suiteKeys, gifs: gifs,
            metrics: metrics, uploads: uploads, exports: Exports(folder: exports, work: exportWork),
            publicURL: configuration.publicURL, operatorKey: configuration.operatorKey,
            outboundPolicy: configuration.outbound.policy)
        server = try Self.server(configuration, store, services, logger)
        loops.attach(server.loops)
        metrics.add(ServerGauges(store: store, hub: hub, connections: { [server] in server.connectionCount }).write)
        // Its key is shown once, so it is made when nothing can fail that another try would mend.
        newTenant = try Setup.makeTenants(configuration, store)
        let client = try configuration.outbound.client()
        makeAttendants = { [store, exportWork, tasks] () throws(ToolError) in
            Attendants(
                chores: try Chores(store, views, exportWork, services.keyUse, logger, started: StartMemory.release),
                watch: try Self.watch(store, hub, loops),
                webhooks: try Self.webhooks(configuration.outbound, client, store, tasks, logger))
        }
    }

    /// Begins to notice what commands change beside this server.
    private static func watch(_ store: Store, _ hub: Hub, _ loops: LoopDirectory) throws(ToolError) -> StoreWatch {
        let watch = SettingsWatch(hub: hub, writer: store.writer, broadcast: loops.broadcast)
        do {
            return try StoreWatch(store) { (session) throws(APIError) in try watch.look(&session) }
        } catch {
            throw ToolError(error.description)
        }
    }

    private static func notices(_ store: Store, _ hub: Hub, _ logger: Logger) throws(ToolError) -> Background {
        do {
            let failed = { @Sendable (error: APIError) in
                logger.log(.error, "notices not made yet", ["detail": .string(error.detail ?? error.reason)])
            }
            return try store.background(name: "notices", failed: failed, step: NoticeWork(hub: hub).step)
        } catch {
            throw ToolError(error.description)
        }
    }

    private static func tasks(
        _ store: Store, _ uploads: Uploads, _ exports: ExportFolder, _ notices: Background, _ logger: Logger
    ) throws(ToolError) -> Background {
        do {
            let failed = { @Sendable (error: APIError) in
                logger.log(.error, "a long change waits", ["detail": .string(error.detail ?? error.reason)])
            }
            let tasks = LongWork()
            let longWork: Background.Step = { (lane, writer) throws(APIError) -> Bool in
                try tasks.step(lane, writer)
            }
            let removals: Background.Step = { (lane, writer) throws(APIError) -> Bool in
                guard try TenantRemoval.step(lane, writer, uploads) else { return false }
                // Rows of exports go first.
                try exports.removeAll { () throws(APIError) -> Set<String> in
                    try lane.read(budgetMilliseconds: nil, ExportSQL.files)
                }
                return true
            }
            let questions: Background.Step = { (lane, writer) throws(APIError) -> Bool in
                try QuestionSweep.step(lane, writer)
            }
            let works = InTurn(longWork, removals, questions)
            return try store.background(name: "tasks", failed: failed) { (lane, writer) throws(APIError) -> Bool in
                // What comes back, and what goes, is told of.
                defer { notices.wake() }
                return try works.step(lane, writer)
            }
        } catch {
            throw ToolError(error.description)
        }
    }

    private static func webhooks(
        _ settings: OutboundSettings, _ client: OutboundClient, _ store: Store, _ tasks: Background, _ logger: Logger
    ) throws(ToolError) -> WebhookPost {
        do {
            return try WebhookPost(
                store, client, retry: settings.webhookRetry * 1000, tasks: tasks, logger)
        } catch {
            throw ToolError("Cannot start a thread: \(error). Allow this user more threads.")
        }
    }

    private static func exportWork(
        _ store: Store, _ folder: ExportFolder, _ logger: Logger
    ) throws(ToolError) -> Background {
        do {
            let failed = { @Sendable (error: APIError) in
                logger.log(.error, "an export waits", ["detail": .string(error.detail ?? error.reason)])
            }
            return try store.background(name: "exports", failed: failed, step: ExportWork(folder: folder).step)
        } catch {
            throw ToolError(error.description)
        }
    }

    private static func server(
        _ configuration: Configuration, _ store: Store, _ services: Services, _ logger: Logger
    ) throws(ToolError) -> HTTPServer<LoopHost> {
        let routes = API.routes(hasSuiteKeys: !configuration.suiteKeys.isEmpty)
        do {
            return try HTTPServer<LoopHost>(try serverConfiguration(configuration)) { context in
                do throws(StoreError) {
                    return LoopHost(
                        routes: routes, services: services, store: store, lane: try store.makeReadLane(),
                        context: context, logger: logger)
                } catch {
                    logger.log(.error, "cannot open the database for reading", ["detail": .string(error.description)])
                    exit(1)
                }
            }
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError("\(error)")
        }
    }

    private static func serverConfiguration(_ configuration: Configuration) throws(ToolError) -> ServerConfiguration {
        var server = ServerConfiguration()
        server.host = configuration.host
        server.port = configuration.port
        server.loopCount = loopCount(configuration)
        if let certificate = configuration.tlsCertificate, let key = configuration.tlsKey {
            do {
                server.tls = try TLSContext(certificateChainPath: certificate, privateKeyPath: key)
            } catch {
                throw ToolError(error.description)
            }
            server.tlsPort = configuration.tlsPort
        }
        return server
    }

    private static func loopCount(_ configuration: Configuration) -> Int {
        configuration.loops ?? max(1, min(64, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Begins to answer.
    func start() throws(ToolError) {
        do {
            try server.start()
        } catch {
            throw ToolError("\(error)")
        }
    }

    /// Begins everything else, once: what waits in the store since the last time, and what is done at times.
    func attend() throws(ToolError) {
        let made = try makeAttendants()
        attendants.withLock { $0 = made }
        notices.wake()
        tasks.wake()
        exportWork.wake()
    }

    /// Finishes what is in flight and closes the store. Takes at most ten seconds.
    func stop() {
        let attendants = attendants.withLock { $0 }
        attendants?.watch.stop()
        uploads.refuseWaiting()
        server.stop(graceMilliseconds: 8000)
        attendants?.chores.stop()
        uploads.close()
        tasks.stop()
        notices.stop()
        exportWork.stop()
        attendants?.webhooks.close()
        gifs?.close()
        store.close()
    }

    /// Where clients reach the server, without a slash at the end.
    var url: String {
        if let url = configuration.publicURL { return url }
        let host = configuration.host == "0.0.0.0" || configuration.host == "::" ? "127.0.0.1" : configuration.host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)"
    }

    /// Where live clients connect.
    var socketURL: String { "ws" + url.dropFirst(4) + "/sub" }
}

/// What works beside the loops, on threads of its own.
private struct Attendants: Sendable {
    let chores: Chores
    /// Notices what commands change beside the server.
    let watch: StoreWatch
    /// Tells sites' own servers what happens.
    let webhooks: WebhookPost
}

extension Application {
    /// Reads the certificate files again.
    func reloadCertificate() throws(ToolError) {
        guard let certificate = configuration.tlsCertificate, let key = configuration.tlsKey else { return }
        do {
            server.useTLS(try TLSContext(certificateChainPath: certificate, privateKeyPath: key))
        } catch {
            throw ToolError(error.description)
        }
    }
}

import Domain
import HTTP1
import Live
import Outbound
import Reactor
import Server
import Storage
import Translations

/// The application on one event loop: finds the route, runs the work where it belongs, sends the answer. Owned by the
/// loop's thread.
package final class LoopHost: LoopApplication {
    /// What other threads tell this loop.
    package typealias Message = LoopMessage

    /// Statements of a read may take this long on the loop, milliseconds.
    static let readBudget = 5
    /// Bodies above this are prepared off the loop: rendering takes time in their length.
    static let largeBody = 8 * 1024

    private let routes: RouteTable<Endpoint>
    let services: Services
    private let store: Store
    let lane: ReadLane
    let context: LoopContext<LoopMessage>
    private let home: LoopHandle<LoopMessage>
    let logger: Logger
    private let counts: RequestCounts
    var sockets: LiveSockets
    private var memory: AnswerMemory
    /// The request head that was looked up last: its body limit is asked for before it is answered.
    private var lookedUp: (method: Method, rawPath: String, match: RouteTable<Endpoint>.Match)?

    /// - Throws: when the loop's own connection to the database cannot be opened.
    package init(
        routes: RouteTable<Endpoint>, services: Services, store: Store, lane: sending ReadLane,
        context: LoopContext<LoopMessage>, logger: Logger
    ) {
        self.routes = routes
        self.services = services
        self.store = store
        self.lane = lane
        self.context = context
        home = context.handle
        self.logger = logger
        counts = services.metrics.makeCounts()
        memory = AnswerMemory(hub: services.hub, changes: store.changes)
        sockets = LiveSockets(hub: services.hub, context: context)
    }

    // MARK: Requests

    /// The body limit is the route's. Uploads, which are large, are only let in while there is room for them.
    package func admit(_ head: RequestHead, from address: String) -> Admission {
        guard case .found(let endpoint, _) = match(head) else {
            return .accept(bodyLimit: Routes.ordinaryBody)
        }
        guard case .upload = endpoint.work else { return .accept(bodyLimit: endpoint.bodyLimit) }
        let client = services.proxies.clientAddress(peer: address, forwarded: head.headers.all("x-forwarded-for"))
        guard let lease = services.uploads.gate.enter(client, at: Syscall.monotonicMilliseconds()) else {
            return .refuse(refusal(.tooManyUploads, head))
        }
        return .accept(bodyLimit: endpoint.bodyLimit, lease: lease)
    }

    /// Answers at once, or sends the work to its lane.
    package func respond(to request: Request, exchange: ExchangeID) -> Outcome {
        let head = request.head
        if head.method == .options { return .now(CrossOrigin(head, isAllowed: !isServerOnly(head)).preflight()) }
        switch match(head) {
        case .found(let endpoint, let parameters):
            return run(endpoint, request, parameters, exchange)
        case .methodNotAllowed(let methods):
            var error = APIError(405, "method-not-allowed", "This path does not take \(head.method.rawValue).")
            error.detail = methods.map(\.rawValue).joined(separator: ", ")
            return .now(refusal(error, head))
        case .notFound:
            return .now(refusal(APIError(404, "not-found", "There is nothing at this path."), head))
        case .badPath:
            return .now(refusal(.invalidInput("The path is not valid UTF-8."), head))
        }
    }

    func match(_ head: RequestHead) -> RouteTable<Endpoint>.Match {
        if let lookedUp, lookedUp.method == head.method, lookedUp.rawPath == head.rawPath { return lookedUp.match }
        let match = routes.match(head.method, head.rawPath)
        lookedUp = (head.method, head.rawPath, match)
        return match
    }

    /// A backend's routes are not for browsers.
    private func isServerOnly(_ head: RequestHead) -> Bool { head.rawPath.hasPrefix("/api/v1/") }

    private func refusal(_ error: APIError, _ head: RequestHead) -> Response {
        var response = ErrorBody(error: error).response()
        CrossOrigin(head, isAllowed: !isServerOnly(head)).apply(to: &response)
        if error.status == 405, let methods = error.detail { response.headers.set("allow", methods) }
        return response
    }

    private func run(
        _ endpoint: Endpoint, _ request: Request, _ parameters: PathParameters, _ exchange: ExchangeID
    ) -> Outcome {
        if let response = known(endpoint, request) { return .now(response) }
        let cors = CrossOrigin(request.head, isAllowed: endpoint.allowsCrossOrigin)
        var answer = AnswerContext(operation: endpoint.operation, call: nil, cors: cors)
        do {
            let call = try Call(request, parameters, services)
            answer = AnswerContext(operation: endpoint.operation, call: call, cors: cors)
            try admitByRate(call)
            switch endpoint.work {
            case .instant(let work): return .now(finished(.success(try work(call)), answer))
            case .read(let work): return read(call, work, exchange, answer)
            case .repeated(let work): return repeated(call, work, exchange, answer)
            case .write(let prepare): return write(call, prepare, exchange, answer, then: submit(exchange, answer))
            case .parts(let prepare): return write(call, prepare, exchange, answer, then: submitParts(exchange, answer))
            case .upload(let prepare):
                upload(call, prepare, exchange, answer)
                return .later
            case .remote(let prepare): return try askOthers(call, prepare, exchange, answer)
            case .socket: return try openSocket(call)
            }
        } catch {
            return .now(finished(.failure(error), answer))
        }
    }

    /// Clients on this machine and tenants of test suites are exempt (contract: public 22.3). So are backends, who have a
    /// limit by key, and moderators, who select many comments and send a call for each (contract: admin 6.1): of their
    /// routes only those calls count that somebody sent who is neither.
    private func admitByRate(_ call: Call) throws(APIError) {
        let address = call.clientAddress
        guard !address.isLoopback else { return }
        if Self.isForStaff(call.request.head) { return try services.limits.checkStrangers(address, at: context.now) }
        let isWrite = call.request.head.method != .get && call.request.head.method != .head
        do {
            try services.limits.admit(address, isWrite: isWrite, at: context.now)
        } catch {
            let id = call.parameters["tenantId"] ?? call.text("tenantId") ?? ""
            let tenant = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> Tenant? in
                try TenantSQL.find(id, in: &session)
            }
            if tenant?.isExemptFromLimits != true { throw error }
        }
    }

    private static func isForStaff(_ head: RequestHead) -> Bool {
        head.rawPath.hasPrefix("/api/v1/") || head.rawPath.hasPrefix("/auth/my-account/moderate-comments/")
    }

    /// Counts a call of a route for backends or moderators that nobody of them sent.
    private func noteStranger(_ refusal: APIError, _ call: Call) {
        let codes = [
            "missing-tenant-id", "invalid-tenant-id", "missing-api-key", "invalid-api-key", "invalid-tenant",
            "not-logged-in", "malformed-sso", "domain-unauthorized",
        ]
        let isStranger = codes.contains(refusal.code) || refusal.reason == APIError.notModerator.reason
        guard isStranger, Self.isForStaff(call.request.head), !call.clientAddress.isLoopback else { return }
        services.limits.noteStranger(call.clientAddress, at: context.now)
    }

    // MARK: Lanes

    /// - Parameter isRepeated: the visitor was already made known on the writer.
    private func read(
        _ call: Call, _ work: @escaping ReadWork, _ exchange: ExchangeID, _ answer: AnswerContext,
        isRepeated: Bool = false, then keep: (Reply) -> Void = { _ in }
    ) -> Outcome {
        let unit = { @Sendable (session: inout Session) throws(APIError) -> Reply in try work(call, &session) }
        do {
            let reply = try lane.read(budgetMilliseconds: Self.readBudget, unit)
            keep(reply)
            return .now(finished(.success(reply), answer))
        } catch {
            switch error.reroute {
            case .write where !isRepeated: Self.makeKnown(call, work, exchange, answer, store, home)
            case .offload: offload(call, work, exchange, answer)
            case .write, nil: return .now(finished(.failure(error), answer))
            }
            return .later
        }
    }

    /// Reads, and keeps the answer for whoever asks the same next.
    private func repeated(
        _ call: Call, _ work: @escaping ReadWork, _ exchange: ExchangeID, _ answer: AnswerContext
    ) -> Outcome {
        let moment = lane.changeMark().map { DatabaseMoment(mark: $0, number: store.changes.moment(at: $0)) }
        let now = Clock.wallMilliseconds
        return read(call, work, exchange, answer) { [self] reply in
            guard let moment, case .packable(let page) = reply, let page = page as? any Repeatable else { return }
            memory.keep(page, AnswerKey(call.request.head, from: call.clientAddress), asOf: moment, at: now)
        }
    }

    /// What was answered to the same request, unless something has changed since.
    private func known(_ endpoint: Endpoint, _ request: Request) -> Response? {
        guard case .repeated = endpoint.work, let mark = lane.changeMark() else { return nil }
        let head = request.head
        let address = services.proxies.clientAddress(
            peer: request.peerAddress, forwarded: head.headers.all("x-forwarded-for"))
        let response = memory.find(
            AnswerKey(head, from: address), mark, at: Clock.wallMilliseconds,
            acceptsGzip: ContentCoding.acceptsGzip(head)
        ) { response in
            CrossOrigin(head, isAllowed: endpoint.allowsCrossOrigin).apply(to: &response)
            response.label = endpoint.operation
        }
        // Whoever asks too often is refused as anybody is.
        guard response != nil,
            address.isLoopback || (try? services.limits.admit(address, isWrite: false, at: context.now)) != nil
        else { return nil }
        return response
    }

    /// The only thing that a read may have to write is its visitor. The writer does just that; then the read runs anew,
    /// so that nothing is read on the writer, where it would hold up others and see what is not committed yet.
    private static func makeKnown(
        _ call: Call, _ work: @escaping ReadWork, _ exchange: ExchangeID, _ answer: AnswerContext, _ store: Store,
        _ home: LoopHandle<LoopMessage>
    ) {
        let unit = { @Sendable (session: inout Session) throws(APIError) -> Bool in
            try Caller.makeKnown(call, in: &session)
        }
        store.writer.submit(unit) { result in
            switch result {
            case .success: home.post(.known(exchange, call, work, answer))
            case .failure(let error): home.post(.completed(exchange, .failure(error), answer))
            }
        }
    }

    /// Prepares a change on the loop, or off it where that takes long.
    /// - Parameter submit: gives it to the writer.
    private func write<Unit: Sendable>(
        _ call: Call, _ prepare: @escaping @Sendable (Call, inout Session) throws(APIError) -> Unit,
        _ exchange: ExchangeID, _ answer: AnswerContext, then submit: @escaping @Sendable (Unit) -> Void
    ) -> Outcome {
        let unit = { @Sendable (session: inout Session) throws(APIError) -> Unit in try prepare(call, &session) }
        guard call.request.body.count <= Self.largeBody else {
            prepareOffLoop(unit, exchange, answer, then: submit)
            return .later
        }
        do {
            submit(try lane.read(budgetMilliseconds: Self.readBudget, unit))
        } catch {
            guard error.reroute == .offload else { return .now(finished(.failure(error), answer)) }
            prepareOffLoop(unit, exchange, answer, then: submit)
        }
        return .later
    }

    private func submit(_ exchange: ExchangeID, _ answer: AnswerContext) -> @Sendable (@escaping WriteUnit) -> Void {
        { [home, store] unit in
            store.writer.submit(unit) { result in home.post(.completed(exchange, result, answer)) }
        }
    }

    private func submitParts(
        _ exchange: ExchangeID, _ answer: AnswerContext
    ) -> @Sendable (@escaping PartUnit) -> Void {
        { [home, store] unit in
            Self.perform(unit, store.writer) { result in home.post(.completed(exchange, result, answer)) }
        }
    }

    private static func perform(
        _ part: @escaping PartUnit, _ writer: Writer,
        completion: @escaping @Sendable (Result<Reply, APIError>) -> Void
    ) {
        writer.submit(part) { result in
            switch result {
            case .success(.done(let reply)): completion(.success(reply))
            case .success(.more(let next)): perform(next, writer, completion: completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func prepareOffLoop<Unit: Sendable>(
        _ unit: @escaping @Sendable (inout Session) throws(APIError) -> Unit, _ exchange: ExchangeID,
        _ answer: AnswerContext, then submit: @escaping @Sendable (Unit) -> Void
    ) {
        store.offload.submit(unit) { [home] result in
            switch result {
            case .success(let unit): submit(unit)
            case .failure(let error): home.post(.completed(exchange, .failure(error), answer))
            }
        }
    }

    /// An unknown visitor is made known on the writer, where the same question is then asked again.
    private func upload(
        _ call: Call, _ prepare: @escaping @Sendable (Call, inout Session) throws(APIError) -> UploadUnit,
        _ exchange: ExchangeID, _ answer: AnswerContext
    ) {
        let (home, store, uploads) = (home, store, services.uploads)
        let unit = { @Sendable (session: inout Session) throws(APIError) -> UploadUnit in try prepare(call, &session) }
        let finish = { @Sendable (result: Result<Reply, APIError>) in home.post(.completed(exchange, result, answer)) }
        let proceed = { @Sendable (result: Result<UploadUnit, APIError>) in
            switch result {
            case .success(let unit): uploads.run(unit, of: call, store.writer, completion: finish)
            case .failure(let error): finish(.failure(error))
            }
        }
        do {
            proceed(.success(try lane.read(budgetMilliseconds: Self.readBudget, unit)))
        } catch {
            switch error.reroute {
            case .write, .offload: store.writer.submit(unit, completion: proceed)
            case nil: proceed(.failure(error))
            }
        }
    }

    private func askOthers(
        _ call: Call, _ prepare: @escaping @Sendable (Call, inout Session) throws(APIError) -> RemoteStep,
        _ exchange: ExchangeID, _ answer: AnswerContext
    ) throws(APIError) -> Outcome {
        let step = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> RemoteStep in
            try prepare(call, &session)
        }
        switch step {
        case .answer(let reply): return .now(finished(.success(reply), answer))
        case .call(let lane, let work):
            let isQueued = lane.submit { [home] client in
                let result = Result { () throws(APIError) -> Reply in try work(client) }
                home.post(.completed(exchange, result, answer))
            }
            guard !isQueued else { return .later }
            var error = APIError(
                503, "unavailable", "Too many requests wait for another server. Please try again shortly.")
            error.retryAfter = 2
            throw error
        }
    }

    /// A long read: its answer is long too, so it is also written off the loop.
    private func offload(
        _ call: Call, _ work: @escaping ReadWork, _ exchange: ExchangeID, _ answer: AnswerContext
    ) {
        store.offload.submit { (session) throws(APIError) -> Reply in
            try work(call, &session)
        } completion: { [home, store, logger] result in
            if case .failure(let error) = result, error.reroute == .write {
                return Self.makeKnown(call, work, exchange, answer, store, home)
            }
            // What is refused is worded on the loop, which can look up the reader's language.
            if result.refusal != nil { return home.post(.completed(exchange, result, answer)) }
            home.post(.answered(exchange, Self.finished(result, answer, .english, logger)))
        }
    }

    // MARK: Answers

    private func finished(_ result: Result<Reply, APIError>, _ answer: AnswerContext) -> Response {
        if let refusal = result.refusal, let call = answer.call { noteStranger(refusal, call) }
        return Self.finished(result, answer, language(for: result.refusal, answer), logger)
    }

    /// The reader's language, looked up for refusals only that have a sentence to tell.
    private func language(for refusal: APIError?, _ answer: AnswerContext) -> Language {
        guard refusal?.phrase != nil, let call = answer.call else { return .english }
        do {
            return try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> Language in
                try ReaderLanguage.ofRefused(call, in: &session)
            }
        } catch {
            return .english
        }
    }

    private static func finished(
        _ result: Result<Reply, APIError>, _ answer: AnswerContext, _ language: Language, _ logger: Logger
    ) -> Response {
        var response: Response
        switch result {
        case .success(let reply):
            let acceptsGzip = answer.call.map { ContentCoding.acceptsGzip($0.request.head) } ?? false
            response = reply.response(in: language, acceptsGzip: acceptsGzip)
        case .failure(let error):
            if error.status >= 500 {
                logger.log(
                    .error, "request failed",
                    ["operation": .string(answer.operation), "detail": .string(error.detail ?? error.reason)])
            }
            response = ErrorBody(error: error, language: language).response()
        }
        answer.cors.apply(to: &response)
        response.label = answer.operation
        return response
    }

    /// The server's own refusals have the closed error body too.
    package func failure(_ failure: ProtocolFailure) -> Response {
        let code =
            switch failure.status {
            case 408: "timeout"
            case 413: "file-too-big"
            case 503: "unavailable"
            default: "invalid-request"
            }
        var error = APIError(failure.status, code, failure.reason)
        if failure.status == 503 { error.retryAfter = 5 }
        return ErrorBody(error: error).response()
    }

    /// Counts the request, and logs it at debug level.
    package func exchangeFinished(_ record: ExchangeRecord) {
        let label = record.status == 101 ? "subscribe" : record.label.isEmpty ? "none" : record.label
        counts.note(label, status: record.status, microseconds: record.microseconds)
        // The query is left out: it may hold sign-on data and keys.
        logger.log(
            .debug, "request",
            [
                "method": .string(record.method.rawValue), "path": .string(record.path), "status": .int(record.status),
                "bytes": .int(record.bytes), "microseconds": .int(record.microseconds),
            ])
    }

    /// Answers and deliveries from other threads.
    package func receive(_ messages: [LoopMessage]) {
        for message in messages {
            switch message {
            case .completed(let exchange, let result, let answer):
                context.complete(exchange, finished(result, answer))
            case .answered(let exchange, let response): context.complete(exchange, response)
            case .known(let exchange, let call, let work, let answer):
                let outcome = read(call, work, exchange, answer, isRepeated: true)
                if case .now(let response) = outcome { context.complete(exchange, response) }
            case .settingsChanged(let tenants): announceSettings(of: tenants)
            case .deliver(let delivery): sockets.deliver(delivery)
            }
        }
    }

    /// Nothing of its own to finish: answers in flight arrive by themselves.
    package func drain() {}
}

extension Result<Reply, APIError> {
    /// What is refused, if anything is.
    fileprivate var refusal: APIError? {
        switch self {
        case .failure(let error), .success(.refused(let error)): error
        case .success: nil
        }
    }
}

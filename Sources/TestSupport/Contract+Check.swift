import JSON

extension Contract {
    /// Whether the contract leaves a path out. Moderation stands below the pages of accounts, but is in the contract.
    private static func isBeside(_ path: String) -> Bool {
        if ["/", "/moderate", "/healthz", "/sub", "/api/v1/sso-users", "/api/v1/me"].contains(path)
            || path.hasPrefix("/test-e2e/") || path.hasPrefix("/api/v1/webhooks")
            || path.hasPrefix("/uploads/") || path.hasPrefix("/moderate/")
            || path == "/auth/my-account/moderate-comments/live" || isListOfPage(path)
            || path.hasPrefix("/api/v1/question-results-aggregate/")
            || path == "/api/v1/question-results-aggregate"
        {
            return true
        }
        return path.hasPrefix("/auth/") && !path.hasPrefix("/auth/my-account/moderate-comments/")
    }

    /// Whether it is one of the reads that the moderators' page has to itself.
    private static func isListOfPage(_ path: String) -> Bool {
        ["removed-comments", "banned-users", "thread-state"].contains { name in
            ["", "mod_api/"].contains { path == "/auth/my-account/moderate-comments/\($0)\(name)" }
        }
    }

    /// What is wrong with an answer, one sentence a fault; empty when it is as the contract wants it.
    /// - Parameters:
    ///   - path: as sent, without the query.
    ///   - isJSON: whether the answer calls itself JSON.
    package func violations(
        _ method: String, _ path: String, status: Int, isJSON: Bool, body: [UInt8]
    ) -> [String] {
        guard method != "HEAD", method != "OPTIONS", status != 304 else { return [] }
        let operation = operation(method, path)
        if operation == nil {
            if Self.isBeside(path) { return [] }
            if (200..<300).contains(status) { return ["\(method) \(path) is no operation of the contract"] }
        }
        guard isJSON else { return ["the answer does not call itself application/json"] }
        let value: JSONValue
        do {
            value = try JSONValue.parse(body)
        } catch {
            return ["the answer is no JSON: \(error.reason) at byte \(error.offset)"]
        }
        guard (200..<300).contains(status) else {
            // The one operation whose refusals have a member of their own.
            let isAggregate = operation?.id == "Aggregate" && value.object?["validResourceNames"] != nil
            return errorViolations(value, isAggregate ? "AggregationAPIError" : "APIError")
        }
        guard let type = operation?.answers[String(status)] else {
            return ["\(operation?.id ?? "") has no answer of status \(status)"]
        }
        var violations = violations(value, type, at: "$")
        if value.object?["status"] == .string("failed") {
            violations.append("$.status: a failure has no status \(status)")
        }
        return violations
    }

    /// What is wrong with the body of a refusal.
    private func errorViolations(_ value: JSONValue, _ schema: String) -> [String] {
        var violations = violations(value, .schema(schema), at: "$")
        if let code = value.object?["code"]?.string, !Self.isKebabCase(code) {
            violations.append("$.code: \"\(code)\" is not made of lower-case words and hyphens")
        }
        if value.object?["status"] == .string("success") {
            violations.append("$.status: says success")
        }
        return violations
    }

    private static func isKebabCase(_ code: String) -> Bool {
        let words = code.split(separator: "-", omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
    }

    /// What is wrong with one value.
    /// - Parameter place: names the value, for example `$.comments[0]`.
    package func violations(_ value: JSONValue, _ type: ContractType, at place: String = "$") -> [String] {
        switch (type, value) {
        case (.any, _), (.string, .string), (.boolean, .bool), (.int64, .integer), (.number, .integer),
            (.nullable, .null):
            return []
        case (.number, .double(let number)):
            // Clients that read such a number as an integer stop at the point.
            return Int64(exactly: number) == nil ? [] : ["\(place): a whole number with a point or an exponent"]
        case (.integer, .integer(let number)):
            return Int32(exactly: number) == nil ? ["\(place): \(number) has more than 32 bits"] : []
        case (.dateTime, .string(let text)):
            return Self.isDateTime(text) ? [] : ["\(place): \"\(text)\" is not of the form YYYY-MM-DDTHH:mm:ss.SSSZ"]
        case (.schema(let name), _):
            guard let type = schemas[name] else { return ["\(place): the contract has no schema \(name)"] }
            return violations(value, type, at: place)
        case (.nullable(let type), _):
            return violations(value, type, at: place)
        case (.array(let type), .array(let items)):
            return items.enumerated().flatMap { violations($1, type, at: "\(place)[\($0)]") }
        case (.map(let type), .object(let object)):
            return object.members.flatMap { violations($0.value, type, at: "\(place).\($0.name)") }
        case (.values(let values), _):
            return values.contains(value) ? [] : ["\(place): \(Self.text(value)) is none of \(Self.list(values))"]
        case (.either(let types), _):
            let tries = types.map { violations(value, $0, at: place) }
            return tries.min { $0.count < $1.count } ?? []
        case (.object(let keys), .object(let object)):
            return violations(object, keys, at: place)
        default:
            return ["\(place): \(Self.text(value)) is no \(type.name)"]
        }
    }

    private func violations(_ object: JSONObject, _ keys: ContractObject, at place: String) -> [String] {
        var violations: [String] = []
        var seen: Set<String> = []
        for (name, value) in object.members {
            if !seen.insert(name).inserted { violations.append("\(place).\(name): stands there twice") }
            if let type = keys.keys[name] ?? keys.others {
                violations += self.violations(value, type, at: "\(place).\(name)")
            } else {
                violations.append("\(place).\(name): the contract has no such key")
            }
        }
        return violations + keys.required.subtracting(seen).sorted().map { "\(place).\($0): is missing" }
    }

    private static func isDateTime(_ text: String) -> Bool {
        let pattern = Array("0000-00-00T00:00:00.000Z".utf8)
        let bytes = Array(text.utf8)
        guard bytes.count == pattern.count,
            zip(bytes, pattern).allSatisfy({ $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 })
        else { return false }
        let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...lengths[month - 1]).contains(day)
            && parts[3] < 24 && parts[4] < 60 && parts[5] < 60
    }

    private static func text(_ value: JSONValue) -> String {
        let text = String(decoding: value.jsonBytes(), as: UTF8.self)
        return text.count > 100 ? text.prefix(100) + "…" : text
    }

    private static func list(_ values: [JSONValue]) -> String { values.map(text).joined(separator: ", ") }
}

extension ContractType {
    /// For a sentence.
    fileprivate var name: String {
        switch self {
        case .string: "string"
        case .integer, .int64: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .dateTime: "date"
        case .array: "array"
        case .map, .object: "object"
        default: "such value"
        }
    }
}

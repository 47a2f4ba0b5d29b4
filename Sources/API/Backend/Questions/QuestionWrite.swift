import Domain
import JSON

/// What a backend says of a question, checked. Other members are overlooked.
struct QuestionWrite: Sendable {
    static let types = ["nps", "slider", "star", "thumbs"]
    private static let optionLimit = 100

    private let reader: PatchReader
    private let options: String?
    private let subQuestions: String?

    /// - Throws: `invalid-input` (400).
    init(_ body: JSONObject) throws(APIError) {
        reader = PatchReader(body: body)
        options = try Self.options(body)
        subQuestions = try reader.list("subQuestionIds").map(JSONText.list)
    }

    /// - Throws: `invalid-input` (400) for what a new question must have.
    static func new(_ body: JSONObject) throws(APIError) -> QuestionWrite {
        for name in ["name", "question", "type", "reportingOrder"] where body.present(name) == nil {
            throw .invalidInput("\(name) is missing.")
        }
        return try QuestionWrite(body)
    }

    private static func options(_ body: JSONObject) throws(APIError) -> String? {
        guard body["customOptions"] != nil else { return nil }
        guard let items = try body.objects("customOptions"), items.count <= optionLimit else {
            throw .invalidInput("customOptions must be a list of at most \(optionLimit) options.")
        }
        var kept: [JSONValue] = []
        for item in items {
            guard let name = item["name"]?.string, let image = item["imageSrc"]?.string, name.utf8.count <= 1000,
                image.utf8.count <= 3000, !WebAddress.runsScript(image)
            else { throw .invalidInput("An option has a name and an imageSrc.") }
            var option = JSONObject()
            option.append("imageSrc", .string(image))
            option.append("name", .string(name))
            kept.append(.object(option))
        }
        return JSONText.text(.array(kept))
    }

    /// - Throws: `invalid-input` (400).
    func applied(to former: QuestionConfig) throws(APIError) -> QuestionConfig {
        var config = former
        config.name = try filled("name", limit: 200) ?? former.name
        config.question = try filled("question", limit: 1000) ?? former.question
        config.helpText = try reader.text("helpText", limit: 2000).value ?? former.helpText
        config.labelNegative = try reader.text("labelNegative", limit: 200).value ?? former.labelNegative
        config.labelPositive = try reader.text("labelPositive", limit: 200).value ?? former.labelPositive
        config.type = try reader.text("type", limit: 20).value ?? former.type
        guard Self.types.contains(config.type) else {
            throw .invalidInput("type must be one of \(Self.types.joined(separator: ", ")).")
        }
        config.numStars = try reader.whole("numStars", 0...100).value ?? former.numStars
        config.minimum = try number("min") ?? former.minimum
        config.maximum = try number("max") ?? former.maximum
        guard config.maximum >= config.minimum else { throw .invalidInput("max may not be below min.") }
        config.defaultValue = try number("defaultValue") ?? former.defaultValue
        config.reportingOrder = try number("reportingOrder") ?? former.reportingOrder
        config.alwaysShowsSubQuestions =
            try reader.flag("alwaysShowSubQuestions") ?? former.alwaysShowsSubQuestions
        config.customOptions = options ?? former.customOptions
        config.subQuestionIDs = subQuestions ?? former.subQuestionIDs
        return config
    }

    private func filled(_ name: String, limit: Int) throws(APIError) -> String? {
        guard let text = try reader.text(name, limit: limit).value else { return nil }
        guard !text.trimmed.isEmpty else { throw .invalidInput("\(name) is empty.") }
        return text
    }

    /// Answers are of 32 bits, so that far is enough.
    private func number(_ name: String) throws(APIError) -> Double? {
        guard let value = reader.body[name] else { return nil }
        guard let number = value.double, abs(number) <= Double(Int32.max) else {
            throw .invalidInput("\(name) must be a number of at most 32 bits.")
        }
        return number
    }
}

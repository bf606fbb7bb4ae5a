import FieldValues
import Locks
import Tables

/// Properties of JSON records. The rewriter sets these properties on its own thread, and the source of the records reads them.
final class JSONNotes: Sendable {
    /// A phrase that names the values that are the records, such as `elements of data.items`.
    let description: String
    /// The format of the input.
    private let format: String
    /// False if the input format has only strings. The types of columns are then guessed.
    let hasTypedStrings: Bool
    private let state = Mutex(State())

    private struct State: Sendable {
        var hasColumnNames = true
        var hasRecords = false
        var problem: String?
        var damageCount = 0
        var firstDamage = ""
        var skippedCount = 0
        var firstSkipped = ""
        var labelProblem: String?
        /// The arrays of objects that are not the records.
        var otherArrays = Paths()
        /// The fields beside the records that are not arrays of objects.
        var otherFields = Paths()
    }

    /// Different key paths, of which only the first ones are stored.
    private struct Paths: Sendable {
        var first: [[[UInt8]]] = []
        /// True if other paths were added that are not stored.
        var hasMore = false

        /// The maximum number of paths that are stored.
        private static let maximumCount = 3

        mutating func add(_ path: [[UInt8]]) {
            guard !first.contains(path) else { return }
            if first.count < Self.maximumCount { first.append(path) } else { hasMore = true }
        }

        /// The paths as words of a sentence, such as `array “a”` or `arrays “a”, “b” and more`.
        func phrase(singular: String, plural: String) -> String {
            var names = first.map { JSONPath.text($0).quotedForMessage }
            guard names.count > 1 else { return "\(singular) \(names.first ?? "")" }
            let last = hasMore ? "more" : names.removeLast()
            return "\(plural) \(names.joined(separator: ", ")) and \(last)"
        }
    }

    init(description: String, format: String = "JSON", hasTypedStrings: Bool = true) {
        (self.description, self.format, self.hasTypedStrings) = (description, format, hasTypedStrings)
    }

    var details: [(name: String, value: String)] {
        [("format", format), ("rows", description), ("header", hasColumnNames ? "in each record" : "none")]
    }

    /// False if the records are arrays without names.
    var hasColumnNames: Bool { state.withLock { $0.hasColumnNames } }
    /// True if at least one record was found.
    var hasRecords: Bool { state.withLock { $0.hasRecords } }
    /// The reason why reading ended early; `nil` if it did not.
    var problem: String? { state.withLock { $0.problem } }

    /// The number of records that were read only partly.
    var skippedCount: Int { state.withLock { $0.skippedCount } }

    /// The problems found so far, one phrase each.
    var problems: [String] {
        state.withLock { state in
            var phrases: [String] = []
            if state.skippedCount == 1 { phrases.append(state.firstSkipped) }
            if state.skippedCount > 1 {
                phrases.append("\(state.firstSkipped), and \(NumberText.count(state.skippedCount - 1)) other rows were read only partly")
            }
            if state.damageCount > 0 {
                let others = state.damageCount - 1
                let more = others == 1 ? "; 1 more such place follows" : "; \(NumberText.count(others)) more such places follow"
                phrases.append(state.firstDamage + (others > 0 ? more : ""))
            }
            return phrases + [state.labelProblem, state.problem].compactMap { $0 }
        }
    }

    /// Phrases that name the arrays of objects that are not the records, and the other fields beside the records, with the options that
    /// show them. Empty if there are no such values.
    var otherValuePhrases: [String] {
        let (arrays, fields) = state.withLock { ($0.otherArrays, $0.otherFields) }
        var phrases: [String] = []
        if let first = arrays.first.first {
            let option = "--path" + (Self.shellWord(for: first).map { " " + $0 } ?? "")
            let names = arrays.phrase(singular: "array", plural: "arrays")
            let isOne = arrays.first.count == 1
            phrases.append("the \(names) \(isOne ? "is left out; \(option) shows it" : "are left out; \(option) shows the first")")
        }
        if !fields.first.isEmpty {
            let isOne = fields.first.count == 1
            let names = fields.phrase(singular: "field", plural: "fields")
            phrases.append("the \(names) \(isOne ? "is" : "are") left out; --path '' shows the whole document")
        }
        return phrases
    }

    /// A path as a word of a shell command; `nil` if it is long, has control characters, or would not be read as the same keys.
    private static func shellWord(for path: [[UInt8]]) -> String? {
        let text = JSONPath.text(path)
        guard text.unicodeScalars.count <= 100, text.withoutControls == text, JSONPath.keys(text) == path else { return nil }
        return ShellWord.word(text)
    }

    func addRecord() { state.withLock { $0.hasRecords = true } }
    func setHasColumnNames(_ hasColumnNames: Bool) { state.withLock { $0.hasColumnNames = hasColumnNames } }
    func addProblem(_ phrase: String) { state.withLock { if $0.problem == nil { $0.problem = phrase } } }
    /// Adds damage after which reading continued.
    func addDamage(_ phrase: String) {
        state.withLock {
            if $0.damageCount == 0 { $0.firstDamage = phrase }
            $0.damageCount += 1
        }
    }
    /// Adds a phrase about labels of a data frame that no row has.
    func addLabelProblem(_ phrase: String) { state.withLock { if $0.labelProblem == nil { $0.labelProblem = phrase } } }
    func addOtherArray(_ path: [[UInt8]]) { state.withLock { $0.otherArrays.add(path) } }
    func addOtherField(_ path: [[UInt8]]) { state.withLock { $0.otherFields.add(path) } }
    func addSkippedPhrase(_ phrase: String) {
        state.withLock {
            if $0.skippedCount == 0 { $0.firstSkipped = phrase }
            $0.skippedCount += 1
        }
    }
}

import FieldValues
import Locks
import Tables

/// Properties of JSON records. The rewriter sets them on its own thread, and the source of the records reads them.
final class JSONNotes: Sendable {
    /// A phrase that names the values that are the records, such as `elements of data.items`.
    let description: String
    /// The format of the input.
    private let format: String
    /// False if the input format has only strings, so that the types of columns are guessed.
    let hasTypedStrings: Bool
    private let state = Mutex(State())

    private struct State: Sendable {
        var hasColumnNames = true
        var hasRecords = false
        var problem: String?
        var skippedCount = 0
        var firstSkipped = ""
        /// The paths of the first arrays of objects that are not the records.
        var otherArrays: [[[UInt8]]] = []
        /// True if there are more such arrays than ``otherArrays`` contains.
        var hasMoreArrays = false
    }

    /// The maximum number of paths in ``State/otherArrays``.
    private static let namedArrays = 3

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

    /// The problems found so far, one phrase each.
    var problems: [String] {
        state.withLock { state in
            var phrases: [String] = []
            if state.skippedCount == 1 { phrases.append(state.firstSkipped) }
            if state.skippedCount > 1 {
                phrases.append("\(state.firstSkipped), and \(NumberText.count(state.skippedCount - 1)) other rows were read only partly")
            }
            return phrases + (state.problem.map { [$0] } ?? [])
        }
    }

    /// A phrase that names the arrays of objects that are not the records, and the option that reads them; `nil` without any.
    var otherArrays: String? {
        let (paths, hasMore) = state.withLock { ($0.otherArrays, $0.hasMoreArrays) }
        guard let first = paths.first else { return nil }
        let option = "--path" + (Self.word(first).map { " " + $0 } ?? "")
        var names = paths.map { JSONPath.text($0).quotedForMessage }
        guard names.count > 1 else { return "the array \(names[0]) is left out; \(option) shows it" }
        let last = hasMore ? "more" : names.removeLast()
        return "the arrays \(names.joined(separator: ", ")) and \(last) are left out; \(option) shows the first"
    }

    /// A path as a word of a command; `nil` if it is long, has control characters, or is not read as the same keys.
    private static func word(_ path: [[UInt8]]) -> String? {
        let text = JSONPath.text(path)
        guard text.unicodeScalars.count <= 100, text.withoutControls == text, JSONPath.keys(text) == path else { return nil }
        return ShellWord.word(text)
    }

    func addRecord() { state.withLock { $0.hasRecords = true } }
    func setTitles(_ hasColumnNames: Bool) { state.withLock { $0.hasColumnNames = hasColumnNames } }
    func addProblem(_ phrase: String) { state.withLock { if $0.problem == nil { $0.problem = phrase } } }
    func addOtherArray(_ path: [[UInt8]]) {
        state.withLock {
            guard !$0.otherArrays.contains(path) else { return }
            if $0.otherArrays.count < Self.namedArrays { $0.otherArrays.append(path) } else { $0.hasMoreArrays = true }
        }
    }
    func addSkipped(_ phrase: String) {
        state.withLock {
            if $0.skippedCount == 0 { $0.firstSkipped = phrase }
            $0.skippedCount += 1
        }
    }
}

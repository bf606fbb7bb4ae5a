import DataGrid
import DataGridQuery
import FieldValues
import Tables

/// The most frequent values of a field, the most frequent first. The filter prompt suggests them.
struct FilterValues: Equatable, Sendable {
    let field: FieldID
    var values: [ColumnStatistics.Frequency] = []
    /// True if the counts include all rows; false if they include only the first rows, such as a sample or the rows read so far.
    var includesAllRows = false

    /// The maximum number of values to suggest.
    static let valueLimit = 5_000
    /// The number of rows in the sample that gives the suggestions before all rows are counted.
    static let sampleCount = 10_000
}

/// The columns or values that can complete the text before the cursor of the filter prompt.
struct FilterCandidates: Equatable, Sendable {
    /// A suggested column or value.
    struct Candidate: Equatable, Sendable {
        /// The text that replaces the typed word.
        let text: String
        /// The number of rows with this value; `nil` for a column, or if the number is unknown.
        var count: Int?
    }

    let all: [Candidate]
    /// The index of the candidate that is now in the prompt; `nil` if none was inserted.
    private(set) var selected: Int?
    private let textBefore: [Character]
    private let textAfter: ArraySlice<Character>

    /// The maximum number of columns whose names are compared with the typed text.
    private static let columnLimit = 10_000
    /// The maximum number of candidates that are offered.
    private static let candidateLimit = 200

    /// Finds the candidates for the typed text. Returns `nil` if there are no candidates, or if the text is complete.
    /// - Parameters:
    ///   - values: the known values of the field before the cursor; `nil` if they are unknown.
    ///   - isRequested: true if the user pressed the completion key, so that all columns are offered even if nothing is typed.
    init?(_ field: LineEditor, _ completion: FilterCompletion, _ schema: Schema, _ values: FilterValues?, isRequested: Bool) {
        let typed = completion.typedText.lowercased()
        let needsPrefix = completion.needsPrefix && completion.subject == .columns
        var found: [(candidate: Candidate, isPrefix: Bool)] = []
        func add(_ name: String, _ candidate: @autoclosure () -> Candidate) {
            let name = name.lowercased()
            let isPrefix = name.hasPrefix(typed)
            if isPrefix || !needsPrefix && name.contains(typed) { found.append((candidate(), isPrefix)) }
        }
        switch completion.subject {
        case .columns:
            guard isRequested || !typed.isEmpty else { return nil }
            for column in schema.fields.prefix(Self.columnLimit) {
                add(column.name, Candidate(text: Formula.field(column.id).text(in: schema)))
            }
        case .values(let id):
            guard let values, values.field == id else { return nil }
            for value in values.values {
                let count = values.includesAllRows ? value.count : nil
                add(value.value, Candidate(text: Filter.literal(value.value, for: schema[id]), count: count))
            }
        }
        let sorted = found.filter(\.isPrefix) + found.filter { !$0.isPrefix }
        all = sorted.prefix(Self.candidateLimit).map(\.candidate)
        textBefore = Array(String(String.UnicodeScalarView(String(field.text[..<field.cursor]).unicodeScalars.prefix(completion.start))))
        textAfter = field.text[field.cursor...]
        // Without a candidate that would change the text, there is nothing to offer.
        if all.isEmpty || all.count == 1 && all[0].text == completion.typedText { return nil }
    }

    /// Inserts the next candidate if `step` is 1, the previous one if it is −1. Returns the new text of the prompt.
    mutating func insertCandidate(step: Int) -> LineEditor {
        let next = selected.map { ($0 + step + all.count) % all.count } ?? (step > 0 ? 0 : all.count - 1)
        selected = next
        var field = LineEditor(String(textAfter))
        field.apply(.start)
        field.insert(String(textBefore) + all[next].text)
        return field
    }

    /// The number of characters before the candidate in the prompt.
    var start: Int { textBefore.count }
}

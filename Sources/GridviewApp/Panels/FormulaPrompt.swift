public import DataGrid
public import DataGridQuery

/// A prompt for a filter or a formula, with its error.
public struct FormulaPrompt: Equatable, Sendable {
    /// The use of the text.
    public enum Purpose: Equatable, Sendable {
        /// Enter filters the rows.
        case filter
        /// Enter adds a column.
        case derivation
    }

    /// The use of the text.
    public let purpose: Purpose
    /// The typed text.
    public internal(set) var field = LineEditor()
    /// The error in the text; `nil` if it is valid or empty.
    public internal(set) var error: FilterError?
    /// True after Enter on a text with a mistake.
    public internal(set) var isRejected = false
    /// The text to find in any cell, if the filter is a bare text.
    public internal(set) var bareText: String?
    /// The index of the displayed filter in the history; `nil` for a new one.
    var place: Int?
    /// The new text, while a filter of the history is shown.
    var draft = LineEditor()

    /// True if the mistake is at the end of the text and Enter was not pressed: the user may still be typing it.
    var isUnfinished: Bool {
        guard let error, !isRejected else { return false }
        // `place` counts Unicode scalars.
        return error.place.upperBound >= field.string.unicodeScalars.reversed().drop { $0 == " " }.count
    }

    /// Creates an empty prompt.
    public init(purpose: Purpose = .filter) { self.purpose = purpose }
}

public import DataGrid
public import DataGridQuery

/// A filter or a formula being typed, and its mistake.
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
    /// What has been typed.
    public internal(set) var field = TextField()
    /// Why it is no filter; `nil` when it is one, or nothing.
    public internal(set) var mistake: FilterError?
    /// The text that is looked for in any cell, when that is what it asks for.
    public internal(set) var bareText: String?
    /// Which of the former filters is shown; `nil`: a new one.
    var place: Int?
    /// The new one, while former filters are shown.
    var draft = TextField()

    /// A prompt in which nothing has been typed.
    public init(purpose: Purpose = .filter) { self.purpose = purpose }
}

/// The response of a data source to text entered in a cell.
public enum EditOutcome: Hashable, Sendable {
    /// The text is the new content of the cell.
    case accepted
    /// The text is invalid; the reason, a short sentence, is shown below the cell.
    case rejected(String)
}

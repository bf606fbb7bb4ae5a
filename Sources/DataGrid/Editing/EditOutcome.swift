/// The response of a data source to text entered in a cell.
public enum EditOutcome: Hashable, Sendable {
    /// The data source has stored the text in the cell.
    case accepted
    /// The text is invalid. The associated value is the reason, a short sentence that is shown below the cell.
    case rejected(String)
}

/// What a data source says of a text that was typed into a cell.
public enum EditOutcome: Hashable, Sendable {
    /// It is the cell's content now.
    case accepted
    /// It cannot be, for this reason: a short sentence, which is shown below the cell.
    case rejected(String)
}

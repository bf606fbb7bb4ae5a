/// A change of a file since it was opened.
public enum FileChange: Sendable, Hashable {
    /// The file is as it was.
    case unchanged
    /// It has more bytes; the others may be as before. ``TableSource/growth(asOf:)`` tells.
    case grown(to: Int)
    /// It has fewer bytes; records beyond cannot be read any more.
    case truncated(to: Int)
    /// Its path leads to another file, or its bytes were written anew in place.
    case replaced
    /// Its path leads nowhere; the open file can still be read.
    case deleted
}

/// A change of a file since it was opened.
public enum FileChange: Sendable, Hashable {
    /// The file has not changed.
    case unchanged
    /// The file has more bytes than before. The older bytes may have changed, too; ``TableSource/growthUpdate(from:)`` checks this.
    case grown(to: Int)
    /// The file has fewer bytes than before. Records after the new end can no longer be read.
    case truncated(to: Int)
    /// The path leads to another file, or the bytes were rewritten in place.
    case replaced
    /// The path no longer exists. The open file can still be read.
    case deleted
}

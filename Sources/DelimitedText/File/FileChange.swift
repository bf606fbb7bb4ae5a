/// What has become of a file since it was opened.
public enum FileChange: Sendable, Hashable {
    /// It is as it was.
    case unchanged
    /// It has more bytes; what was there may be as before. ``DelimitedFile/acceptGrowth()`` takes them in.
    case grown(to: Int)
    /// It has fewer bytes; records beyond cannot be read any more.
    case truncated(to: Int)
    /// Its path leads to another file, or its bytes were written anew in place.
    case replaced
    /// Its path leads nowhere; what is open can still be read.
    case deleted
}

/// The lines at the start of a text that begin with the prefix of comments, and the blank lines between them.
struct LeadingComments {
    /// The number of lines, from the first comment to the last one.
    private(set) var count = 0
    /// The range of the last comment, without its line ending.
    private(set) var lastRange = 0..<0
    /// The offset of the first line after the comments.
    private(set) var end = 0

    /// Returns `nil` if the first line is not a comment.
    init?(_ text: ArraySlice<UInt8>, prefix: [UInt8]) {
        guard text.starts(with: prefix) else { return nil }
        var (start, lines) = (text.startIndex, 0)
        while start < text.endIndex {
            let lineEnd = text[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? text.endIndex
            let next = min(lineEnd + (text[lineEnd...].starts(with: [0x0d, 0x0a]) ? 2 : 1), text.endIndex)
            lines += 1
            if text[start..<lineEnd].starts(with: prefix) {
                (count, lastRange, end) = (lines, start..<lineEnd, next)
            } else if lineEnd > start {
                break
            }
            start = next
        }
    }
}

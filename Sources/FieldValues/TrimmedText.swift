extension StringProtocol {
    /// The text without the white space around it.
    package var trimmed: SubSequence {
        let start = drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }
}

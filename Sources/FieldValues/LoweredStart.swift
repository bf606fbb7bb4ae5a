extension String {
    /// The text for use after a colon: the first letter is lowercase, except in abbreviations such as `I/O`.
    package var loweredStart: String {
        dropFirst().first.map { $0.isLowercase || $0 == " " } == true ? prefix(1).lowercased() + dropFirst() : self
    }
}

extension String {
    /// The text as it is written after a colon: with a lower-case first letter, except for abbreviations such as `I/O`.
    package var lowercasingFirstLetter: String {
        dropFirst().first.map { $0.isLowercase || $0 == " " } == true ? prefix(1).lowercased() + dropFirst() : self
    }
}

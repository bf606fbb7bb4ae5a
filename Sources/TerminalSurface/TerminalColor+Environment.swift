extension TerminalColor {
    /// Creates an approximate background color from the environment variable `COLORFGBG`, such as `0;15` or `0;default;15`.
    ///
    /// The color is white for a light background, and black for a dark one. `nil` if the text does not end with a number from 0 to 15.
    package init?(colorFgBg text: String) {
        guard let last = text.split(separator: ";", omittingEmptySubsequences: false).last, let index = UInt8(last), index < 16 else {
            return nil
        }
        // In this palette, 7 and 15 are white, 8 is dark gray, and 9 to 14 are bright colors.
        let part: UInt8 = index == 7 || index > 8 ? 255 : 0
        self.init(red: part, green: part, blue: part)
    }
}

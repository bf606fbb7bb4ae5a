extension TerminalColor {
    /// The background color in the environment variable `COLORFGBG`, such as `0;15` or `0;default;15`, roughly: white for a light
    /// background, black for a dark one; `nil` without a number of the 16 usual colors at the end.
    package init?(colorFgBg text: String) {
        guard let last = text.split(separator: ";", omittingEmptySubsequences: false).last, let index = UInt8(last), index < 16 else {
            return nil
        }
        // 7 and 15 are white, 8 is gray, and the bright colors are light.
        let part: UInt8 = index == 7 || index > 8 ? 255 : 0
        self.init(red: part, green: part, blue: part)
    }
}

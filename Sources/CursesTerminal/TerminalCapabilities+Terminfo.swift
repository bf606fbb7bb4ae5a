internal import TerminalSurface

extension TerminalCapabilities {
    /// The capabilities of a terminal description; `nil` if the terminal does not support the required ANSI sequences.
    ///
    /// The encoder writes each sequence in one form only, so a capability is used only if the description has that form.
    init?(_ description: TerminalDescription, depth: ColorDepth?) {
        guard description.string("cup")?.hasPrefix("\u{1B}[%i%p1%d;%p2%dH") == true, description.string("el")?.hasPrefix("\u{1B}[K") == true
        else {
            return nil
        }
        self.init(colorDepth: depth ?? Self.colorDepth(of: description))
        erasesWithBackground = description.flag("bce")
        erasesCharacters = description.string("ech") == "\u{1B}[%p1%dX"
        repeatsCharacters = description.string("rep") == "%p1%c\u{1B}[%p2%{1}%-%db"
        scrollsRegions =
            description.string("csr")?.hasPrefix("\u{1B}[%i%p1%d;%p2%dr") == true && description.string("ri")?.hasPrefix("\u{1B}M") == true
        scrollsManyRows = description.string("indn") == "\u{1B}[%p1%dS" && description.string("rin") == "\u{1B}[%p1%dT"
    }

    /// The number of colors. NO_COLOR, or a description with fewer than 8 colors, means none. Otherwise, COLORTERM or the description
    /// determines the number.
    private static func colorDepth(of description: TerminalDescription) -> ColorDepth {
        if let noColor = Platform.environment("NO_COLOR"), !noColor.isEmpty { return .none }
        let colors = description.number("colors")
        guard colors >= 8 else { return .none }
        let word = Platform.environment("COLORTERM") ?? ""
        if word == "truecolor" || word == "24bit" || description.flag("RGB") || description.flag("Tc") || colors >= 0x100_0000 {
            return .trueColor
        }
        return colors >= 256 ? .indexed256 : .ansi16
    }
}

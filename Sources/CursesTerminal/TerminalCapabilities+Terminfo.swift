internal import TerminalSurface

extension TerminalCapabilities {
    /// What the terminal of `session` understands, as far as its description goes; `nil` if it does not speak the language of ANSI
    /// terminals,
    /// so that nothing can be drawn.
    ///
    /// Sequences are used in one form, so that a capability counts only if it is in that form.
    init?(_ session: CursesSession, depth: ColorDepth?) {
        guard session.string("cup")?.hasPrefix("\u{1B}[%i%p1%d;%p2%dH") == true, session.string("el")?.hasPrefix("\u{1B}[K") == true else {
            return nil
        }
        self.init(colorDepth: depth ?? Self.depth(session))
        erasesWithBackground = session.flag("bce")
        erasesCharacters = session.string("ech") == "\u{1B}[%p1%dX"
        repeatsCharacters = session.string("rep") == "%p1%c\u{1B}[%p2%{1}%-%db"
        scrollsRegions =
            session.string("csr")?.hasPrefix("\u{1B}[%i%p1%d;%p2%dr") == true && session.string("ri")?.hasPrefix("\u{1B}M") == true
        scrollsManyRows = session.string("indn") == "\u{1B}[%p1%dS" && session.string("rin") == "\u{1B}[%p1%dT"
    }

    /// The number of colours, by the user's wish (NO_COLOR), the terminal's own word (COLORTERM), and its description, in this order.
    private static func depth(_ session: CursesSession) -> ColorDepth {
        if let wish = Platform.environment("NO_COLOR"), !wish.isEmpty { return .none }
        let colors = session.number("colors")
        guard colors >= 8 else { return .none }
        let word = Platform.environment("COLORTERM") ?? ""
        if word == "truecolor" || word == "24bit" || session.flag("RGB") || session.flag("Tc") || colors >= 0x100_0000 { return .trueColor }
        return colors >= 256 ? .indexed256 : .ansi16
    }
}

/// What a terminal understands, as far as ``FrameEncoder`` cares.
///
/// Moving the cursor, the SGR attributes and erasing to the end of the line are taken for granted: a terminal without them is refused
/// before a frame is drawn.
public struct TerminalCapabilities: Hashable, Sendable {
    /// How many colours it shows; colours of a frame are brought down to them.
    public var colorDepth: ColorDepth
    /// Erased cells take the background colour that is on (terminfo `bce`); without it, only blanks on the default background are erased.
    public var erasesWithBackground: Bool
    /// `CSI n X` blanks n cells (`ech`).
    public var erasesCharacters: Bool
    /// `CSI n b` repeats the last character (`rep`).
    public var repeatsCharacters: Bool
    /// `CSI t ; b r` limits scrolling to some rows (`csr`).
    public var scrollsRegions: Bool
    /// `CSI n S` and `CSI n T` scroll (`indn`, `rin`); without them a line feed at the bottom and a reverse index at the top do.
    public var scrollsManyRows: Bool
    /// Frames larger than ``FrameEncoder/synchronizedSize`` are put between `CSI ? 2026 h` and `l`, so that no half of one is seen.
    /// Terminals that do not know these ignore them.
    public var synchronizesOutput: Bool

    /// Capabilities; what is not said is taken for missing.
    public init(
        colorDepth: ColorDepth, erasesWithBackground: Bool = false, erasesCharacters: Bool = false, repeatsCharacters: Bool = false,
        scrollsRegions: Bool = false, scrollsManyRows: Bool = false, synchronizesOutput: Bool = true
    ) {
        self.colorDepth = colorDepth
        self.erasesWithBackground = erasesWithBackground
        self.erasesCharacters = erasesCharacters
        self.repeatsCharacters = repeatsCharacters
        self.scrollsRegions = scrollsRegions
        self.scrollsManyRows = scrollsManyRows
        self.synchronizesOutput = synchronizesOutput
    }

    /// What xterm and its many likes understand, in true colour; without `rep`, which tmux and some others lack.
    public static let xterm = TerminalCapabilities(
        colorDepth: .trueColor, erasesWithBackground: true, erasesCharacters: true, scrollsRegions: true, scrollsManyRows: true)

    /// The least that is drawn on: no colours, nothing optional.
    public static let plain = TerminalCapabilities(colorDepth: .none, synchronizesOutput: false)
}

/// The terminal capabilities that ``FrameEncoder`` uses.
///
/// Cursor addressing, SGR attributes and erasing to the end of the line are required: the program refuses a terminal without them.
public struct TerminalCapabilities: Hashable, Sendable {
    /// The number of colors. The colors of a frame are reduced to this number.
    public var colorDepth: ColorDepth
    /// True if erased cells get the active background color (terminfo `bce`). Otherwise, only blanks on the default background are
    /// erased.
    public var erasesWithBackground: Bool
    /// True if the terminal erases n cells on `CSI n X` (terminfo `ech`).
    public var erasesCharacters: Bool
    /// True if the terminal repeats the last character on `CSI n b` (terminfo `rep`).
    public var repeatsCharacters: Bool
    /// True if the terminal limits scrolling to rows t to b on `CSI t ; b r` (terminfo `csr`).
    public var scrollsRegions: Bool
    /// True if the terminal scrolls n rows on `CSI n S` and `CSI n T` (terminfo `indn`, `rin`). Otherwise, a line feed in the last row or
    /// a reverse index in the first row scrolls one row.
    public var scrollsManyRows: Bool
    /// True to enclose frames larger than ``FrameEncoder/synchronizationThreshold`` in `CSI ? 2026 h` and `CSI ? 2026 l`. Terminals with
    /// this mode show no partial frame; other terminals ignore it.
    public var synchronizesOutput: Bool

    /// Creates capabilities. Capabilities that are not specified are disabled, except `synchronizesOutput`.
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

    /// The capabilities of xterm and compatible terminals with 24-bit colors. Repeating a character is excluded, because tmux and some
    /// others do not support it.
    public static let xterm = TerminalCapabilities(
        colorDepth: .trueColor, erasesWithBackground: true, erasesCharacters: true, scrollsRegions: true, scrollsManyRows: true)

    /// The minimum capabilities: no colors and no optional sequences.
    public static let plain = TerminalCapabilities(colorDepth: .none, synchronizesOutput: false)
}

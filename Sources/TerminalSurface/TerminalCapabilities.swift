/// The terminal capabilities that ``FrameEncoder`` uses.
///
/// Cursor addressing, SGR attributes and erasing to the end of the line are required: a terminal without them is refused before a frame is
/// drawn.
public struct TerminalCapabilities: Hashable, Sendable {
    /// The number of colors; the colors of a frame are reduced to them.
    public var colorDepth: ColorDepth
    /// Erased cells have the active background color (terminfo `bce`). Otherwise only blanks on the default background are erased.
    public var erasesWithBackground: Bool
    /// `CSI n X` blanks n cells (`ech`).
    public var erasesCharacters: Bool
    /// `CSI n b` repeats the last character (`rep`).
    public var repeatsCharacters: Bool
    /// `CSI t ; b r` limits scrolling to some rows (`csr`).
    public var scrollsRegions: Bool
    /// `CSI n S` and `CSI n T` scroll (`indn`, `rin`). Otherwise a line feed at the bottom and a reverse index at the top are used.
    public var scrollsManyRows: Bool
    /// Frames larger than ``FrameEncoder/synchronizationThreshold`` are enclosed in `CSI ? 2026 h` and `l`, so that no partial frame is
    /// visible.
    /// Other terminals ignore these sequences.
    public var synchronizesOutput: Bool

    /// Creates capabilities; unspecified capabilities are disabled, except `synchronizesOutput`.
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

    /// The capabilities of xterm and compatible terminals, in true color; without `rep`, which tmux and some others do not support.
    public static let xterm = TerminalCapabilities(
        colorDepth: .trueColor, erasesWithBackground: true, erasesCharacters: true, scrollsRegions: true, scrollsManyRows: true)

    /// The minimum capabilities: no colors and no optional sequences.
    public static let plain = TerminalCapabilities(colorDepth: .none, synchronizesOutput: false)
}

/// One terminal cell: one spacing scalar with its zero-width followers, and a style.
public struct Cell: Hashable, Sendable {
    /// The spacing scalar; a space when empty. 0 in the right half of a wide character.
    public var scalar: UInt32
    /// Zero-width scalars after it: an index into a table of clusters shared by all buffers; 0 for none.
    public var followers: UInt32
    public var style: TextStyle
    /// 1, 2 for the left half of a wide character, 0 for its right half.
    public var width: UInt8

    /// A blank cell.
    public static let blank = Cell(scalar: 0x20, followers: 0, style: .plain, width: 1)

    public init(scalar: UInt32, followers: UInt32 = 0, style: TextStyle = .plain, width: UInt8 = 1) {
        self.scalar = scalar
        self.followers = followers
        self.style = style
        self.width = width
    }
}

/// A screen of terminal cells, row-major; what painters draw on.
public struct CellBuffer: Hashable, Sendable {
    public let size: TerminalSize
    public private(set) var cells: [Cell]

    public init(size: TerminalSize, style: TextStyle = .plain) {
        self.size = TerminalSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(scalar: 0x20, style: style), count: self.size.columns * self.size.rows)
    }

    /// The cell at column `x` and row `y`; both 0-based and inside the buffer.
    public subscript(x: Int, y: Int) -> Cell {
        get { cells[y * size.columns + x] }
        set { cells[y * size.columns + x] = newValue }
    }

    /// Fills what of `rect` lies inside the buffer with blanks of `style`.
    public mutating func fill(_ rect: TerminalRect, style: TextStyle) { fatalError("to be written") }

    /// Changes the style of what of `rect` lies inside the buffer; the text stays.
    public mutating func restyle(_ rect: TerminalRect, _ change: (inout TextStyle) -> Void) { fatalError("to be written") }

    /// Writes text from (`x`, `y`), over at most `width` terminal cells, clipped to the buffer.
    ///
    /// Characters that a terminal must not get (controls, bidirectional overrides, invalid sequences) appear as visible marks in `markStyle`;
    /// a line break as ⏎. When the text does not fit, its last cell is `…` in `markStyle`, if `ellipsis` asks so. Wide characters are never
    /// halved: a blank stands where the second half would not fit.
    /// - Returns: the number of terminal cells written.
    /// - Complexity: O(`width`), whatever the length of the text.
    @discardableResult
    public mutating func write(
        _ text: String, x: Int, y: Int, width: Int = .max, style: TextStyle = .plain, markStyle: TextStyle? = nil, ellipsis: Bool = false
    ) -> Int { fatalError("to be written") }
}

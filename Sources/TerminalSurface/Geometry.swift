/// A size in terminal cells.
public struct TerminalSize: Hashable, Sendable {
    /// The width.
    public var columns: Int
    /// The height.
    public var rows: Int

    /// A size of so many columns and rows.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The sides that a screen may have: a frame has to fit in memory, whatever a terminal says of itself.
    public static let sides = 1...2_000

    /// This size with either side brought within ``sides``.
    public var limited: TerminalSize {
        TerminalSize(
            columns: min(max(columns, Self.sides.lowerBound), Self.sides.upperBound),
            rows: min(max(rows, Self.sides.lowerBound), Self.sides.upperBound))
    }
}

/// A rectangle of terminal cells; 0-based, half open.
public struct TerminalRect: Hashable, Sendable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// A rectangle from its upper left cell.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether a terminal cell lies in it.
    public func contains(x: Int, y: Int) -> Bool { x >= self.x && x < self.x + width && y >= self.y && y < self.y + height }

    /// The whole of a screen.
    public init(_ size: TerminalSize) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }
}

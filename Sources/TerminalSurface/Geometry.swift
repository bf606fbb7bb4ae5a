/// A size in terminal cells.
public struct TerminalSize: Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// Creates a size of `columns` × `rows` cells.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The allowed length of each side, so that a frame fits in memory even if a terminal reports a huge size.
    public static let allowedLengths = 1...2_000

    /// The size with both sides limited to ``allowedLengths``.
    public var limited: TerminalSize {
        TerminalSize(
            columns: min(max(columns, Self.allowedLengths.lowerBound), Self.allowedLengths.upperBound),
            rows: min(max(rows, Self.allowedLengths.lowerBound), Self.allowedLengths.upperBound))
    }
}

/// A rectangle of terminal cells. Its columns are `x ..< x + width`, and its rows `y ..< y + height`, counted from 0.
public struct TerminalRect: Hashable, Sendable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a rectangle from its upper left cell.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns true if a terminal cell is in the rectangle.
    public func contains(x: Int, y: Int) -> Bool { x >= self.x && x < self.x + width && y >= self.y && y < self.y + height }

    /// Creates a rectangle of the whole screen.
    public init(_ size: TerminalSize) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }
}

/// A size in terminal cells.
public struct TerminalSize: Hashable, Sendable, Codable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A rectangle of terminal cells; 0-based, half open.
public struct TerminalRect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public init(_ size: TerminalSize) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }
}

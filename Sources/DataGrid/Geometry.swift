/// A size in terminal cells.
public struct GridSize: Hashable, Sendable, Codable {
    /// Terminal cells across.
    public var width: Int
    /// Lines.
    public var height: Int

    /// A size of `width` cells by `height` lines.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads a size of sides up to 10,000.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        width = try values.decode(.width, within: DecodingLimits.cells)
        height = try values.decode(.height, within: DecodingLimits.cells)
    }

    var limited: GridSize {
        GridSize(width: width.clamped(to: DecodingLimits.cells), height: height.clamped(to: DecodingLimits.cells))
    }

    /// No room at all.
    public static let zero = GridSize(width: 0, height: 0)
}

/// A place in terminal cells, 0-based, from the upper left corner of the grid's frame.
public struct GridPoint: Hashable, Sendable {
    /// Cells from the left edge.
    public var x: Int
    /// Lines from the upper edge.
    public var y: Int

    /// The cell at column `x` of line `y`.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

extension Comparable {
    /// The value, or the bound of `limits` it lies beyond.
    @inlinable
    func clamped(to limits: ClosedRange<Self>) -> Self { min(max(self, limits.lowerBound), limits.upperBound) }
}

extension Int {
    /// The value kept in `0 ..< count`, or 0 when that is empty.
    @inlinable
    func clampedIndex(_ count: Int) -> Int { Swift.max(0, Swift.min(self, count - 1)) }
}

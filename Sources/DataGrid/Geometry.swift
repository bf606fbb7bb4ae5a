/// A size in terminal cells.
public struct GridSize: Hashable, Sendable, Codable {
    /// The width in terminal cells.
    public var width: Int
    /// The height in lines.
    public var height: Int

    /// Creates a size of `width` cells by `height` lines.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Decodes a size. Width and height can be at most 10,000.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        width = try values.decode(.width, within: DecodingLimits.cells)
        height = try values.decode(.height, within: DecodingLimits.cells)
    }

    var clampedToLimits: GridSize {
        GridSize(width: width.clamped(to: DecodingLimits.cells), height: height.clamped(to: DecodingLimits.cells))
    }

    /// The empty size.
    public static let zero = GridSize(width: 0, height: 0)
}

/// A point in terminal cells, 0-based, relative to the upper left corner of the grid's frame.
public struct GridPoint: Hashable, Sendable {
    /// The distance from the left edge of the frame in terminal cells.
    public var x: Int
    /// The distance from the upper edge of the frame in lines.
    public var y: Int

    /// Creates the point at column `x` of line `y`.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

extension Comparable {
    /// The value or, if it is outside `limits`, the nearest bound of `limits`.
    @inlinable
    func clamped(to limits: ClosedRange<Self>) -> Self { min(max(self, limits.lowerBound), limits.upperBound) }
}

extension Int {
    /// The value or, if it is outside `0 ..< count`, the nearest index in this range. 0 if `count` is 0.
    @inlinable
    func clampedIndex(count: Int) -> Int { Swift.max(0, Swift.min(self, count - 1)) }
}

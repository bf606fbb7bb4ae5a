/// A size in terminal cells.
public struct GridSize: Hashable, Sendable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    public static let zero = GridSize(width: 0, height: 0)
}

/// A place in terminal cells, 0-based, from the upper left corner of the grid's frame.
public struct GridPoint: Hashable, Sendable {
    public var x: Int
    public var y: Int

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

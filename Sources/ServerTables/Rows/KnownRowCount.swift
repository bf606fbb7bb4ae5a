/// The number of rows of an order, as far as it is known. It grows while rows are fetched, until all rows are counted.
struct KnownRowCount: Sendable {
    /// The number of known rows.
    private(set) var count: Int
    /// True if the known rows are all rows.
    private(set) var isComplete: Bool

    /// - Parameter count: the number of all rows; `nil` if it is not known yet.
    init(_ count: Int?) { (self.count, isComplete) = (count ?? 0, count != nil) }

    /// Adds the result of a request: `count` of the requested rows exist.
    /// - Parameter canHaveMore: true if more rows can follow, even if the result has fewer rows than requested.
    mutating func add(_ count: Int, of requested: Range<Int>, canHaveMore: Bool) {
        let end = requested.lowerBound + count
        guard !isComplete, count > 0 || end == self.count else { return }
        // A page before the last known row is shorter if rows were deleted, and is not the end.
        let isEnd = count < requested.count && end >= self.count && !canHaveMore
        (self.count, isComplete) = isEnd ? (end, true) : (max(self.count, end), false)
    }

    /// Adds all rows up to a position.
    mutating func add(upTo end: Int) { if !isComplete { count = max(count, end) } }
}

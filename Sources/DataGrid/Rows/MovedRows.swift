import FieldValues

/// An order of rows after users have moved some rows. It consists of ranges of positions in the previous order, in a new sequence.
///
/// The previous order is shared, not copied, so that moving some of ten million rows needs only a few ranges.
public struct MovedRows: Equatable, Sendable {
    /// The order before users moved rows. It is never itself a ``RowOrder/moved(_:)`` order.
    public let base: RowOrder
    /// Ranges of positions in ``base``, in their new sequence. Together they contain each position once.
    public let runs: [Range<Int>]
    private let starts: [Int]

    private init(base: RowOrder, runs: [Range<Int>]) {
        self.base = base
        self.runs = runs.joinedRuns
        var next = 0
        starts = self.runs.map { run in
            defer { next += run.count }
            return next
        }
    }

    /// Creates an order that joins ranges of positions in `base`. Returns `nil` unless the ranges contain each position once. O(ranges ·
    /// log ranges).
    init?(base: RowOrder, checking runs: [Range<Int>]) {
        var next = 0
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard run.lowerBound == next, !run.isEmpty else { return nil }
            next = run.upperBound
        }
        guard next == base.count else { return nil }
        self.init(base: base, runs: runs)
    }

    subscript(position: Int) -> RowID {
        let run = index(at: position)
        return base[runs[run].lowerBound + position - starts[run]]
    }

    /// The position of a row; `nil` if the order does not contain it. O(moved ranges), plus the cost of finding the row in ``base``.
    func position(of row: RowID) -> Int? {
        guard let basePosition = base.position(of: row), let run = runs.firstIndex(where: { $0.contains(basePosition) }) else { return nil }
        return starts[run] + basePosition - runs[run].lowerBound
    }

    private func index(at position: Int) -> Int { starts.indices.partitioningIndex { starts[$0] > position } - 1 }

    // MARK: Moves

    /// The order after another move of rows. If every row is then at its original position, the result is the order before all moves.
    /// O(moved ranges).
    static func order(_ order: RowOrder, after move: RowMove) -> RowOrder {
        let old: MovedRows
        if case .moved(let rows) = order { old = rows } else { old = MovedRows(base: order, runs: [0..<order.count]) }
        let ranges = [0..<move.earlierRange.lowerBound, move.laterRange, move.earlierRange, move.laterRange.upperBound..<old.base.count]
        let new = MovedRows(base: old.base, runs: ranges.flatMap { old.runs(at: $0) })
        return new.runs.count > 1 ? .moved(new) : new.base
    }

    private func runs(at positions: Range<Int>) -> [Range<Int>] {
        guard !positions.isEmpty else { return [] }
        return (index(at: positions.lowerBound)...index(at: positions.upperBound - 1)).map { run in
            let shift = runs[run].lowerBound - starts[run]
            let part = positions.clamped(to: starts[run]..<starts[run] + runs[run].count)
            return part.lowerBound + shift..<part.upperBound + shift
        }
    }

    /// The order after the source has grown to `count` rows, with the new rows at the end. `nil` if ``base`` is not the order of the
    /// source, or if the source has fewer rows than before. O(moved ranges).
    public func grown(to count: Int) -> MovedRows? {
        guard case .natural(let old) = base, count >= old else { return nil }
        return MovedRows(base: .natural(count: count), runs: runs + [old..<count])
    }
}

/// A move of rows, which exchanges two adjacent ranges of positions.
struct RowMove {
    /// The positions, before the move, of the rows that move down.
    let earlierRange: Range<Int>
    /// The positions, before the move, of the rows that move up.
    let laterRange: Range<Int>

    /// Creates a move of the rows in `range`. After the move, the first of these rows is at `target`.
    init(_ range: Range<Int>, to target: Int) {
        if target < range.lowerBound {
            (earlierRange, laterRange) = (target..<range.lowerBound, range)
        } else {
            (earlierRange, laterRange) = (range, range.upperBound..<target + range.count)
        }
    }

    /// The new position of the row that was at `position` before the move.
    func newPosition(ofRowAt position: Int) -> Int {
        if earlierRange.contains(position) { return position + laterRange.count }
        return laterRange.contains(position) ? position - earlierRange.count : position
    }

    /// The new positions of the rows that were in `range` before the move, as ascending ranges.
    func newRanges(ofRowsIn range: Range<Int>) -> [Range<Int>] {
        range.split(at: [earlierRange.lowerBound, laterRange.lowerBound, laterRange.upperBound], movingTo: newPosition(ofRowAt:))
    }
}
